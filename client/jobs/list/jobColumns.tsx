import { Link, useSearchParams } from 'wouter'
import type { JobRow } from '#events/jobs/calls.ts'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import { JobDuration } from '#client/jobs/JobDuration.tsx'
import { JobProgress } from '#client/jobs/running/JobProgress.tsx'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { JobActions, type JobActionHandler } from '#client/jobs/actions/JobActions.tsx'
import { jobName, reasonText, storagesText } from '#client/parts/job-words/jobWords.ts'
import type { Column } from '#client/ui/table/column.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { withJobsAddress } from './jobsAddress.ts'
import classes from '#client/jobs/Jobs.module.css'

const moment = { width: '8.5rem', sortable: true } as const

/** Columns of jobs and tasks. */
type Row = Pick<JobRow, 'id' | 'status' | 'createdAt' | 'startedAt' | 'updatedAt'>
export const timeColumns: Column<Row>[] = [
  {
    key: 'createdAt',
    title: 'Created',
    ...moment,
    room: 'wide',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    key: 'startedAt',
    title: 'Initiated',
    ...moment,
    room: 'widest',
    cell: ({ startedAt }) => (startedAt === null ? '-' : <Moment at={startedAt} />),
  },
  {
    key: 'updatedAt',
    title: 'Updated',
    hint: 'Last time the status of the job was updated',
    ...moment,
    room: 'widest',
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
  },
  {
    key: 'duration',
    title: 'Duration',
    align: 'right',
    width: '5.5rem',
    room: 'medium',
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
  {
    key: 'id',
    title: 'Id',
    sortable: true,
    width: '4rem',
    room: 'small',
    cell: ({ id }) => <JobLink id={id} />,
  },
  {
    key: 'type',
    title: 'Type',
    sortable: true,
    width: 'clamp(7.5rem, 34cqi, max(11rem, 17cqi))',
    cell: (job) => jobName(job),
  },
  {
    key: 'storages',
    title: 'Storage',
    width: 'clamp(6.5rem, 28cqi, max(10rem, 13cqi))',
    cell: (job) => storagesText(job) || '-',
  },
  {
    key: 'serverId',
    title: 'Agent',
    sortable: true,
    width: '7.5rem',
    room: 'wide',
    cell: ({ agentName }) => agentName ?? '-',
  },
  ...timeColumns,
  {
    key: 'reason',
    title: 'Progress or reason',
    grows: true,
    room: 'small',
    cell: (job) => (job.status === 'RUNNING' ? <JobProgress job={job} /> : <Reason job={job} />),
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    width: '6rem',
    room: 'small',
    cell: (job) => <JobActions job={job} onAction={onAction} />,
  },
]

/** For small screens: the storages of a scan or the name of another job, its time without the year, and its status. */
export const narrowJobColumns: Column<JobRow>[] = [
  { key: 'type', title: 'Job', sortable: true, grows: true, cell: (job) => storagesText(job) || jobName(job) },
  {
    key: 'createdAt',
    title: 'Created',
    sortable: true,
    width: '6rem',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{momentText(createdAt).slice(5)}</time>,
  },
  ...timeColumns.slice(-1),
]

/** Reason of a failure or warning, or what a job waits for. */
const Reason = ({ job }: { job: JobRow }) => (
  <span className={classes.reason} data-bad={hasFailed(job) || undefined}>
    {reasonText(job)}
  </span>
)

/** Number of a job as a link to its dialog over the same list, for a new tab or the clipboard. */
function JobLink({ id }: { id: number }) {
  const [search] = useSearchParams()
  const query = withJobsAddress(search, { id: String(id) })
  return (
    <Link href={`/settings/jobs?${query}`} className={classes.id} tabIndex={-1}>
      {id}
    </Link>
  )
}
