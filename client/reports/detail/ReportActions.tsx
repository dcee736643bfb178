import { Button } from '@mantine/core'
import { IconChecklist, IconPencil, IconPlayerPlay, IconSearch, IconTrash } from '@tabler/icons-react'
import { Link } from 'wouter'
import { reports } from '#events/reports/calls.ts'
import { comparesData, type Report } from '#events/reports/templates.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import type { RowAction } from '#client/reports/reportColumns.tsx'
import { isUnderWay, useJobNow } from '#client/reports/useJobNow.ts'
import { useFoundSearch } from './useFoundSearch.ts'

const icon = { size: 16, stroke: 1.5 }

/** The query of a report that searches everything, for a policy. Days of a policy are fixed, so those that roll are left out. */
function policyCriteria({ type, parameters: { searchQueryNode, references, comparison, rollingDates } }: Report) {
  const criteria = searchQueryNode && JSON.stringify(searchQueryNode)
  if (!criteria || comparesData(type) || references.length + comparison.length > 0) return undefined
  return rollingDates && /\d{4}-\d{2}-\d{2}/.test(criteria) ? undefined : criteria
}

type ReportActionsProps = { report: Report; onAction: (action: RowAction) => void }

export function ReportActions({ report, onAction }: ReportActionsProps) {
  const search = useFoundSearch(report)
  const { job } = useJobNow(report.jobs[0])
  const links = useLinks()
  const criteria = policyCriteria(report)
  return (
    <>
      {search && (
        <Button component={Link} href={search('files')} variant="default" leftSection={<IconSearch {...icon} />}>
          Show content as Search result
        </Button>
      )}
      {criteria && (
        <RoleGuard needs="policies.edit">
          <Button
            component={Link}
            href={links.newPolicy({ criteria })}
            variant="default"
            leftSection={<IconChecklist {...icon} />}
          >
            Make a policy
          </Button>
        </RoleGuard>
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
