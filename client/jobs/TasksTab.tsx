import { IconListCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { agents } from '#events/agents.ts'
import type { JobDetails } from '#events/job-calls.ts'
import type { Task, TaskType } from '#events/jobs.ts'
import { useRemote } from '../app/remote.ts'
import type { Column } from '../ui/column.ts'
import { JsonPane } from '../ui/JsonPane.tsx'
import { Notice } from '../ui/Notice.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { longMomentText } from '../ui/text/moment.ts'
import { failedFirst } from './failedFirst.ts'
import { timeColumns } from './jobColumns.tsx'
import classes from './JobDialog.module.css'

const taskTypeLabels: Record<TaskType, string> = { SCAN_VOLUMES: 'Scan volumes', TAG_ENTRIES: 'Tag entries' }

/** The tasks of a job, those that failed first, and one of them in full. */
export function TasksTab({ job }: { job: JobDetails }) {
  const [chosen, choose] = useState<number>()
  const tasks = useMemo(() => failedFirst(job.tasks), [job.tasks])
  const columns = useTaskColumns(job)
  const task = tasks.find(({ id }) => id === chosen) ?? tasks[0]
  if (!task) return <Notice icon={IconListCheck}>This job has no tasks.</Notice>
  return (
    <div className={classes.side}>
      <div className={classes.tasks}>
        <VirtualTable
          label="Tasks"
          columns={columns}
          rows={tasks}
          rowKey={({ id }) => id}
          stateOf={({ status }) => status}
          selected={task.id}
          onOpen={({ id }) => choose(id)}
        />
      </div>
      <div>
        <h3 className={classes.heading}>{`Task Details · ${task.id} ${taskTypeLabels[task.type]}`}</h3>
        <p className={classes.meta}>{`Created ${longMomentText(task.createdAt)}, attempt ${task.attempt}`}</p>
      </div>
      <div className={classes.documents}>
        <JsonPane
          key={`payload ${task.id}`}
          title="Payload"
          name={`the payload of task ${task.id}`}
          value={task.payload}
        />
        <JsonPane
          key={`result ${task.id}`}
          title="Task Result"
          name={`the result of task ${task.id}`}
          value={task.result}
        />
      </div>
    </div>
  )
}

/** More agents are not set up by hand. */
const everyAgent = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

/** The columns of jobs, unsorted; a task may be another agent's than its job. */
function useTaskColumns({ serverId, agentName }: JobDetails): Column<Task>[] {
  const { data } = useRemote(agents.list, { query: everyAgent }, 'agents')
  return useMemo(() => {
    const names = new Map([[serverId, agentName], ...(data?.elements ?? []).map(({ id, name }) => [id, name] as const)])
    return [
      { key: 'id', title: 'Id', width: '4.5rem', cell: ({ id }) => id },
      { key: 'type', title: 'Type', cell: ({ type }) => taskTypeLabels[type] },
      {
        key: 'agent',
        title: 'Agent',
        width: '8.5rem',
        room: 'medium',
        cell: ({ serverId }) => names.get(serverId) ?? '-',
      },
      ...timeColumns.map((column) => ({ ...column, sortable: false })),
    ]
  }, [serverId, agentName, data])
}
