import type { JobRow } from '#events/jobs/calls.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { JobDuration } from '#client/jobs/JobDuration.tsx'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { JobActions, type JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { LongMoment } from '#client/ui/values/LongMoment.tsx'

const moment = { width: '12rem', sortable: true } as const

/** Columns of jobs and tasks. */
type Row = Pick<JobRow, 'id' | 'status' | 'createdAt' | 'startedAt' | 'updatedAt'>
export const timeColumns: Column<Row>[] = [
  {
    key: 'createdAt',
    title: 'Created',
    ...moment,
    room: 'wide',
    cell: ({ createdAt }) => <LongMoment at={createdAt} />,
  },
  {
    key: 'startedAt',
    title: 'Initiated',
    ...moment,
    room: 'small',
    cell: ({ startedAt }) => <LongMoment at={startedAt} />,
  },
  {
    key: 'updatedAt',
    title: 'Updated',
    hint: 'Last time the status of the job was updated',
    ...moment,
    room: 'small',
    cell: ({ updatedAt }) => <LongMoment at={updatedAt} />,
  },
  {
    key: 'duration',
    title: 'Duration',
    align: 'right',
    width: '6rem',
    room: 'small',
    cell: (row) => <JobDuration job={row} />,
  },
  {
    key: 'status',
    title: 'Status',
    sortable: true,
    width: '8rem',
    cell: ({ status }) => <JobStatusBadge status={status} />,
  },
]

export const jobColumns = (onAction: JobActionHandler): Column<JobRow>[] => [
  { key: 'id', title: 'Id', sortable: true, width: '5.5rem', cell: ({ id }) => id },
  { key: 'type', title: 'Type', sortable: true, cell: ({ type }) => jobTypeLabels[type] },
  {
    key: 'serverId',
    title: 'Agent',
    sortable: true,
    width: '8.5rem',
    room: 'medium',
    cell: ({ agentName }) => agentName ?? '-',
  },
  ...timeColumns,
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    width: '7rem',
    room: 'small',
    cell: (job) => <JobActions job={job} onAction={onAction} />,
  },
]
