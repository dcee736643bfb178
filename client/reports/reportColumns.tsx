import { IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type ListedReport, reportTypeLabels } from '#events/reports/templates.ts'
import { CheckBadge } from '#client/parts/report-check/CheckBadge.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { countText } from '#client/ui/text/count.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { LastRun } from './RunState.tsx'
import classes from './Reports.module.css'

export type RowAction = 'launch' | 'edit' | 'delete'
type OnAction = (action: RowAction, report: ListedReport) => void

const actions = [
  { action: 'launch', verb: 'Launch', icon: IconPlayerPlay },
  { action: 'edit', verb: 'Edit', icon: IconPencil },
  { action: 'delete', verb: 'Delete', icon: IconTrash },
] as const

/** Columns of the list; without `onAction`, rows have no actions. */
export const reportColumns = (onAction: OnAction | undefined): Column<ListedReport>[] => [
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    cell: ({ name, check }) => (
      <span className="row gap-8">
        <span className="ellipsis strong" title={name}>
          {name}
        </span>
        {check && check.state !== 'PASSED' && <CheckBadge check={check} isShort />}
      </span>
    ),
  },
  {
    key: 'type',
    title: 'Type',
    sortable: true,
    width: '9rem',
    room: 'small',
    cell: ({ type }) => <Chip>{reportTypeLabels[type]}</Chip>,
  },
  {
    key: 'found',
    title: 'Found',
    align: 'right',
    width: '9rem',
    room: 'wide',
    cell: ({ numberOfFilesFound, sizeOfFilesFound }) =>
      numberOfFilesFound === null ? (
        '-'
      ) : (
        <>
          {countText(numberOfFilesFound)}
          {sizeOfFilesFound !== null && (
            <span className="muted">
              {' '}
              · <Size bytes={sizeOfFilesFound} />
            </span>
          )}
        </>
      ),
  },
  {
    key: 'lastExecutionDate',
    title: 'Last run',
    sortable: true,
    width: 'var(--last-run)',
    cell: (report) => <LastRun report={report} />,
  },
  {
    key: 'nextRun',
    title: 'Next run',
    width: '9rem',
    room: 'wide',
    cell: ({ nextRuns: [next] }) => (next === undefined ? '-' : <Moment at={next} />),
  },
  ...(onAction ? [actionsColumn(onAction)] : []),
]

const actionsColumn = (onAction: OnAction): Column<ListedReport> => ({
  key: 'actions',
  title: 'Actions',
  align: 'right',
  width: '8rem',
  // The page of a report has the same actions.
  room: 'small',
  cell: (report) => (
    <span className="inline-flex gap-2">
      {actions.map(({ action, verb, icon: Sign }) => (
        <button
          key={action}
          type="button"
          className={classes.action}
          data-action={action}
          tabIndex={-1}
          aria-label={`${verb} ${report.name}`}
          title={verb}
          onClick={() => onAction(action, report)}
        >
          <Sign size={16} stroke={1.5} aria-hidden />
        </button>
      ))}
    </span>
  ),
})
