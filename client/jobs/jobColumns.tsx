import type { JobRow } from '#events/job-calls.ts'
import { jobTypeLabels } from '#events/job-types.ts'
import type { Column } from '../ui/column.ts'
import { LongMoment } from '../ui/LongMoment.tsx'
import { JobActions, type JobDeeds } from './JobActions.tsx'
import { JobDuration } from './JobDuration.tsx'
import { JobStatusBadge } from './JobStatusBadge.tsx'

const moment = { width: '12rem', sortable: true } as const

/** The columns that jobs and tasks share. */
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

export const jobColumns = (deeds: JobDeeds): Column<JobRow>[] => [
  { key: 'id', title: 'Id', sortable: true, width: '4rem', cell: ({ id }) => id },
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
    cell: (job) => <JobActions job={job} deeds={deeds} />,
  },
]
