import type { TaskNotice } from '#events/agents.ts'
import type { JobEvent } from '#events/jobs.ts'
import { jobOfStream } from '#events/replay.ts'
import { subjects } from '#events/subjects.ts'
import { changeJob, dispatchTasks } from '#server/jobs/index.ts'
import { type AnyEvent, type Recorded, system } from '#server/platform/eventLog.ts'
import { follow, wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * Puts each queued task into the work queue of its agent, and each that is queued again. The event's position is in the
 * message's id, so that handling an event twice queues its tasks once.
 */
export const startDispatch = (platform: Platform) =>
  follow(
    platform.db,
    'task-dispatch',
    (recorded) => dispatch(platform, recorded),
    (error) => platform.log.error({ error }, 'Tasks could not be handed to their agents'),
  )

async function dispatch(platform: Platform, { position, stream, event }: Recorded<AnyEvent>): Promise<void> {
  const jobId = jobOfStream(stream)
  if (jobId === undefined) return
  const said = event as JobEvent
  if (said.type === 'JobQueued') return dispatchNew(platform, jobId, position)
  if (said.type === 'TaskResumed' || said.type === 'TaskLost') return dispatchAgain(platform, said.taskId, position)
}

const scansIn = ({ db }: Platform) =>
  db.selectFrom('tasks').select(['id', 'jobId', 'serverId']).where('type', '=', 'SCAN_VOLUMES')

/** All tasks of a job at once, for there may be many. */
async function dispatchNew(platform: Platform, jobId: number, position: number): Promise<void> {
  const tasks = await scansIn(platform).where('jobId', '=', jobId).where('status', '=', 'NEW').orderBy('id').execute()
  if (tasks.length === 0) return
  for (const task of tasks) await send(platform, task, position)
  const ids = tasks.map(({ id }) => id)
  const at = new Date().toISOString()
  await platform.db.transaction().execute((trx) => changeJob(trx, jobId, system, (job) => dispatchTasks(job, ids, at)))
  wakeFollowers()
  platform.live({ type: 'changed', topics: ['jobs'] })
}

/** One that was cancelled or paused meanwhile is left out. */
async function dispatchAgain(platform: Platform, taskId: number, position: number): Promise<void> {
  const task = await scansIn(platform).where('id', '=', taskId).where('status', '=', 'AVAILABLE').executeTakeFirst()
  if (task) await send(platform, task, position)
}

type Queued = { id: number; jobId: number; serverId: number }

async function send({ nats }: Platform, { id, jobId, serverId }: Queued, position: number): Promise<void> {
  const notice: TaskNotice = { taskId: id, jobId, type: 'SCAN_VOLUMES', turn: position }
  await nats.js.publish(subjects.tasks(serverId), JSON.stringify(notice), { msgID: `task-${position}-${id}` })
}
