import { useMemo } from 'react'
import { Link } from 'wouter'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { Task } from '#events/jobs/events.ts'
import { scannedStorages } from '#events/jobs/results.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { linksAt } from '#client/app/links.ts'
import { JobDuration } from '#client/jobs/JobDuration.tsx'
import { JobStatusBadge } from '#client/parts/job-words/JobStatusBadge.tsx'
import { taskReason } from '#client/parts/job-words/jobWords.ts'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { counted } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { failedFirst } from './failedFirst.ts'
import classes from './JobDialog.module.css'

type ScannedStoragesProps = { job: JobDetails; onOpen: (taskId: number) => void }

/** Storages of a scan with their results, failed ones first. Enter or a click opens the task. */
export function ScannedStorages({ job, onOpen }: ScannedStoragesProps) {
  const scans = useMemo(() => failedFirst(job.tasks).filter(({ type }) => type === 'SCAN_VOLUMES'), [job.tasks])
  const columns = useMemo(() => storageColumns(job.storages), [job.storages])
  if (scans.length === 0) return null
  return (
    <div className={classes.storages}>
      <VirtualTable
        label="Storages"
        columns={columns}
        rows={scans}
        rowKey={({ id }) => id}
        stateOf={({ status }) => status}
        onOpen={({ id }) => onOpen(id)}
      />
    </div>
  )
}

type Storages = JobDetails['storages']

const storageColumns = (storages: Storages): Column<Task>[] => [
  storageColumn(storages),
  { key: 'status', title: 'Status', width: '8rem', cell: ({ status }) => <JobStatusBadge status={status} /> },
  { key: 'result', title: 'Result', grows: true, cell: (task) => <Result task={task} /> },
  {
    key: 'duration',
    title: 'Duration',
    align: 'right',
    width: '6rem',
    room: 'small',
    cell: (task) => <JobDuration job={task} />,
  },
]

/** Storage that a task scans, as a link to its analytics. */
export const storageColumn = (storages: Storages): Column<Task> => ({
  key: 'storage',
  title: 'Storage',
  width: '12rem',
  cell: (task) => {
    const [id] = scannedStorages(task)
    const name = storages.find((storage) => storage.id === id)?.name
    if (id === undefined) return '-'
    return name === undefined ? (
      `Storage ${id}`
    ) : (
      <Link href={linksAt().volume(id)} tabIndex={-1} className={classes.link}>
        {name}
      </Link>
    )
  },
})

/** Reason of a failure, or counts of the snapshot. */
function Result({ task }: { task: Task }) {
  const { files, folders = 0, bytes = 0 } = fieldsOf(task.result)
  const reason = taskReason(task)
  if (reason) return reason
  if (files === undefined) return null
  return (
    <>
      {`${counted(files, 'file')}, ${counted(folders, 'folder')}, `}
      <Size bytes={bytes} />
    </>
  )
}
