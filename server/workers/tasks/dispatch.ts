import type { JobEvent } from '#events/jobs/events.ts'
import { type AgentTaskType, agentTaskTypes } from '#events/jobs/types.ts'
import { jobIdOfStream } from '#events/streams.ts'
import { subjects } from '#events/subjects.ts'
import type { CancelRequest, TaskNotice } from '#events/tasks.ts'
import { changeJob, dispatchTasks } from '#server/workers/jobs/index.ts'
import { type AnyEvent, type RecordedEvent, system } from '#server/platform/log/eventLog.ts'
import { follow } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

/**
 * Puts each queued task of an agent, also one queued again, into the agent's work queue. The event's position is in the
 * message's id, so handling an event twice queues its tasks once.
 */
export const startDispatch = (platform: Platform) =>
  follow(
    platform.db,
    'task-dispatch',
    (recorded) => dispatch(platform, recorded),
    (error) => platform.log.error({ error }, 'could not queue tasks for their agents'),
  )

async function dispatch(platform: Platform, { position, stream, event }: RecordedEvent<AnyEvent>): Promise<void> {
  const jobId = jobIdOfStream(stream)
  if (jobId === undefined) return
  const jobEvent = event as JobEvent
  if (jobEvent.type === 'JobQueued') return dispatchNew(platform, jobId, position)
  if (jobEvent.type === 'TaskResumed' || jobEvent.type === 'TaskLost')
    return dispatchAgain(platform, jobEvent.taskId, position)
}

const agentTasks = ({ db }: Platform) =>
  db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'serverId', 'type'])
    .where('type', 'in', agentTaskTypes)
    .$narrowType<{ type: AgentTaskType }>()

/** All tasks of a job at once, because there may be many. */
async function dispatchNew(platform: Platform, jobId: number, position: number): Promise<void> {
  const isNew = agentTasks(platform).where('jobId', '=', jobId).where('status', '=', 'NEW')
  const tasks = await isNew.orderBy('id').execute()
  if (tasks.length === 0) return
  for (const task of tasks) await sendNotice(platform, task, position)
  const ids = tasks.map(({ id }) => id)
  const at = new Date().toISOString()
  await inTransaction(platform.db, (trx) => changeJob(trx, jobId, system, (job) => dispatchTasks(job, ids, at)))
}

/** Leaves out a task that was cancelled or paused meanwhile. */
async function dispatchAgain(platform: Platform, taskId: number, position: number): Promise<void> {
  const task = await agentTasks(platform).where('id', '=', taskId).where('status', '=', 'AVAILABLE').executeTakeFirst()
  if (task) await sendNotice(platform, task, position)
}

export type QueuedTask = { id: number; jobId: number; serverId: number; type: AgentTaskType }

/**
 * Puts the notice of a task into its agent's queue; `again` distinguishes it from one the queue may have had before.
 */
export async function sendNotice(
  { nats }: Platform,
  { id, jobId, serverId, type }: QueuedTask,
  position: number,
  again = '',
): Promise<void> {
  const notice: TaskNotice = { taskId: id, jobId, type, turn: position }
  await nats.js.publish(subjects.tasks(serverId, type), JSON.stringify(notice), {
    msgID: `task-${position}-${id}${again}`,
  })
}

/**
 * Asks an agent to stop attempts of a task. The message may be lost: send it again when the agent next reports
 * progress.
 */
export const stopTask = ({ nats }: Pick<Platform, 'nats'>, agentId: number, request: CancelRequest): void =>
  nats.connection.publish(subjects.cancel(agentId), JSON.stringify(request))
