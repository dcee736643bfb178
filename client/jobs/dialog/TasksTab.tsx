import { IconListCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { type AgentInfo, agentInfos, agents } from '#events/agents.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { Task } from '#events/jobs/events.ts'
import type { TaskType } from '#events/jobs/types.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { timeColumns } from '#client/jobs/list/jobColumns.tsx'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import { taskReason } from '#client/parts/job-words/jobWords.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { JsonPane } from '#client/ui/values/JsonPane.tsx'
import { allByName } from '#client/parts/pagination/pageSizes.ts'
import { failedFirst } from './failedFirst.ts'
import { storageColumn } from './ScannedStorages.tsx'
import { TechnicalDetails } from './TechnicalDetails.tsx'
import classes from './JobDialog.module.css'

const taskTypeLabels: Record<TaskType, string> = {
  SCAN_VOLUMES: 'Scan storages',
  ACT_ON_FILES: 'Act on files',
  TAG_ENTRIES: 'Tag entries',
  RUN_REPORT: 'Run report',
}

type TasksTabProps = { job: JobDetails; chosen: number | undefined; onChoose: (taskId: number) => void }

/** Tasks of a job, failed ones first, with details of the selected one. */
export function TasksTab({ job, chosen, onChoose }: TasksTabProps) {
  const tasks = useMemo(() => failedFirst(job.tasks), [job.tasks])
  const { names, infos } = useAgents(job)
  const columns = useMemo(() => taskColumns(names, job.storages), [names, job.storages])
  const task = tasks.find(({ id }) => id === chosen) ?? tasks[0]
  if (!task) return <Notice icon={IconListCheck}>This job has no tasks.</Notice>
  const waiting = waitingText(task, names, infos)
  const reason = taskReason(task)
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
          onOpen={({ id }) => onChoose(id)}
        />
      </div>
      <div>
        <h3 className="heading">{`Task Details · ${task.id} ${taskTypeLabels[task.type]}`}</h3>
        <p className="muted small">{`Created ${momentText(task.createdAt)}, attempt ${task.attempt}`}</p>
        {waiting && <p className="muted small">{waiting}</p>}
        {reason && (
          <p className={classes.reason} data-bad={hasFailed(task) || undefined}>
            {reason}
          </p>
        )}
      </div>
      <TechnicalDetails>
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
      </TechnicalDetails>
    </div>
  )
}

/** Page size above any realistic number of agents. */

type AgentNames = ReadonlyMap<number | null, string | null>

/** Agent names by id, since tasks may run on other agents than their job, and their status if the user may see it. */
function useAgents({ serverId, agentName }: JobDetails): { names: AgentNames; infos: AgentInfo[] } {
  const user = useSnapshot(session).user as CurrentUser | undefined
  const isAdministrator = userMay(user, 'settings.edit')
  const { data } = useRemote(agents.list, isAdministrator ? { query: allByName } : undefined, 'agents')
  const { data: infos = [] } = useRemote(agentInfos, isAdministrator ? {} : undefined, 'agents')
  const names = useMemo(
    () => new Map([[serverId, agentName], ...(data?.elements ?? []).map(({ id, name }) => [id, name] as const)]),
    [serverId, agentName, data],
  )
  return { names, infos }
}

const taskColumns = (names: AgentNames, storages: JobDetails['storages']): Column<Task>[] => [
  { key: 'id', title: 'Id', width: '4.5rem', cell: ({ id }) => id },
  { key: 'type', title: 'Type', width: '8rem', room: 'small', cell: ({ type }) => taskTypeLabels[type] },
  ...(storages.length > 0 ? [storageColumn(storages)] : []),
  {
    key: 'agent',
    title: 'Agent',
    width: '8.5rem',
    room: 'small',
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
