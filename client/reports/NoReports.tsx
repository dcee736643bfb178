import { Button } from '@mantine/core'
import { IconPlus, IconReportAnalytics } from '@tabler/icons-react'
import { reports } from '#events/reports/calls.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import type { WizardStart } from './useWizardAddress.ts'
import { readyReports } from './wizard/readyReports.ts'
import classes from './Reports.module.css'

/** Empty state that explains reports and offers templates. */
export function NoReports({ onStart }: { onStart: (start?: WizardStart) => void }) {
  const isLicensed = useLicence()
  return (
    <>
      <Notice
        icon={IconReportAnalytics}
        step={
          <RoleGuard needs={reports.create}>
            <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => onStart()}>
              New report
            </Button>
          </RoleGuard>
        }
      >
        No reports yet. A report finds and tags files and folders that match your conditions. You can run it again at
        any time.
      </Notice>
      <RoleGuard needs={reports.create}>
        <section className="inset" aria-label="Ready-made reports">
          <h3 className="muted small strong bottom-8">Start from a template</h3>
          <ul className={classes.templates}>
            {readyReports
              .filter(({ bundle }) => isLicensed(bundle))
              .map(({ key, name, finds }) => (
                <li key={key}>
                  <button type="button" className={classes.template} onClick={() => onStart({ ready: key })}>
                    <strong className="bold">{name}</strong>
                    <span className="muted small">{finds}</span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      </RoleGuard>
    </>
  )
}
