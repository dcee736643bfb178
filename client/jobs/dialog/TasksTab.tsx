import { IconListCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type AgentInfo, agentInfos, agents } from '#events/agents.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { Task, JobStatus } from '#events/jobs/events.ts'
import type { TaskType } from '#events/jobs/types.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { timeColumns } from '#client/jobs/list/jobColumns.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { longMomentText } from '#client/ui/text/moment.ts'
import { JsonPane } from '#client/ui/values/JsonPane.tsx'
import classes from './JobDialog.module.css'

const taskTypeLabels: Record<TaskType, string> = {
  SCAN_VOLUMES: 'Scan volumes',
  ACT_ON_FILES: 'Act on files',
  TAG_ENTRIES: 'Tag entries',
  RUN_REPORT: 'Run report',
}

/** Tasks of a job, failed ones first, with details of the selected one. */
export function TasksTab({ job }: { job: JobDetails }) {
  const [chosen, choose] = useState<number>()
  const tasks = useMemo(() => failedFirst(job.tasks), [job.tasks])
  const { names, infos } = useAgents(job)
  const columns = useMemo(() => taskColumns(names), [names])
  const task = tasks.find(({ id }) => id === chosen) ?? tasks[0]
  if (!task) return <Notice icon={IconListCheck}>This job has no tasks.</Notice>
  const waiting = waitingText(task, names, infos)
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
        {waiting && <p className={classes.meta}>{waiting}</p>}
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

/** Page size above any realistic number of agents. */
const allAgents = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

type AgentNames = ReadonlyMap<number | null, string | null>

/** Agent names by id, since tasks may run on other agents than their job, and their status if the user may see it. */
function useAgents({ serverId, agentName }: JobDetails): { names: AgentNames; infos: AgentInfo[] } {
  const user = useSnapshot(session).user as CurrentUser | undefined
  const isAdministrator = userMay(user, 'settings.edit')
  const { data } = useRemote(agents.list, isAdministrator ? { query: allAgents } : undefined, 'agents')
  const { data: infos = [] } = useRemote(agentInfos, isAdministrator ? {} : undefined, 'agents')
  const names = useMemo(
    () => new Map([[serverId, agentName], ...(data?.elements ?? []).map(({ id, name }) => [id, name] as const)]),
    [serverId, agentName, data],
  )
  return { names, infos }
}

const taskColumns = (names: AgentNames): Column<Task>[] => [
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

/** Explains which agent a task waits for, and if that agent is offline. */
export function waitingText(
  { status, serverId }: Pick<Task, 'status' | 'serverId'>,
  names: AgentNames,
  infos: readonly Pick<AgentInfo, 'id' | 'isActive'>[],
): string | undefined {
  const name = names.get(serverId)
  if (status !== 'AVAILABLE' || !name) return undefined
  const isAway = infos.some(({ id, isActive }) => id === serverId && !isActive)
  return isAway ? `Waiting for ${name}, which is not connected` : `Waiting for ${name} to start it`
}

/** Failed tasks first, then active, then successful ones. */
const order: readonly JobStatus[] = [
  'FAILURE',
  'SCANNER_ERROR',
  'WARNING',
  'RUNNING',
  'AVAILABLE',
  'NEW',
  'WAITING',
  'CANCELLED',
  'SUCCESS',
]

export const failedFirst = (tasks: readonly Task[]): Task[] =>
  tasks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status) || a.id - b.id)
