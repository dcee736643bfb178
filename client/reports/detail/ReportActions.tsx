import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconSearch, IconTrash } from '@tabler/icons-react'
import { Link } from 'wouter'
import { reports } from '#events/reports/calls.ts'
import type { Report } from '#events/reports/templates.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import type { RowAction } from '#client/reports/reportColumns.tsx'
import { isUnderWay, useJobNow } from '#client/reports/useJobNow.ts'
import { useFoundSearch } from './useFoundSearch.ts'

const icon = { size: 16, stroke: 1.5 }

type ReportActionsProps = { report: Report; onAction: (action: RowAction) => void }

export function ReportActions({ report, onAction }: ReportActionsProps) {
  const search = useFoundSearch(report)
  const { job } = useJobNow(report.jobs[0])
  return (
    <>
      {search && (
        <Button component={Link} href={search('files')} variant="default" leftSection={<IconSearch {...icon} />}>
          Show content as Search result
        </Button>
      )}
      <RoleGuard needs={reports.launch}>
        <Button
          variant="default"
          disabled={isUnderWay(job)}
          leftSection={<IconPlayerPlay {...icon} />}
          onClick={() => onAction('launch')}
        >
          Launch Report
        </Button>
        <Button variant="default" leftSection={<IconPencil {...icon} />} onClick={() => onAction('edit')}>
          Edit Report
        </Button>
        <Button variant="default" leftSection={<IconTrash {...icon} />} onClick={() => onAction('delete')}>
          Delete Report
        </Button>
      </RoleGuard>
    </>
  )
}
