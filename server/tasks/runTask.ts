import type { Job, JobEvent, Task } from '#events/jobs/events.ts'
import type { TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { ServerTaskType } from '#events/jobs/types.ts'
import { changeJob, endTask, failTask, giveUpTask, loseTask, progressTask, startTask } from '#server/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import type { ServerTaskHandler } from './taskHandler.ts'

type Attempt = Pick<Task, 'id' | 'attempt'> & { jobId: number }
type OpenTask<T extends ServerTaskType> = Attempt & Pick<Task, 'status' | 'lapses'> & { payload: TaskPayloadOf<T> }
type Decide = (job: Job, at: string) => JobEvent[]

/** A task that fails or kills its server this often is given up. */
const mostLapses = 5

/** Does a task that is open, as another attempt. Throws when it could not be done and is to be tried again. */
export async function runTask<T extends ServerTaskType>(
  platform: Platform,
  handler: ServerTaskHandler<T>,
  task: OpenTask<T>,
  isStopping: () => boolean,
): Promise<void> {
  const attempt = task.attempt + 1
  const changeBefore = (decide: Decide) => changeAttempt(platform, handler, task, decide)
  const change = (decide: Decide) => changeAttempt(platform, handler, { ...task, attempt }, decide)
  // While the store is away, no attempt is wasted.
  await platform.clickhouse.ping()
  // Only one server works on such tasks at a time: one that is said to run was left.
  if (task.status === 'RUNNING' && !(await changeBefore((job, at) => takeBack(job, task, at)))) return
  if (!(await changeBefore((job, at) => startTask(job, task.id, attempt, at)))) return
  try {
    const result = await handler.run(
      task.payload,
      async (reached) => (await change((job, at) => progressTask(job, task.id, reached, at))) && !isStopping(),
    )
    if (result) await change((job, at) => endTask(job, task.id, result, at))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await change((job, at) => failTask(job, task.id, error.message, at))
  }
}

/** The task is queued again, or given up. */
function takeBack(job: Job, { id: taskId, attempt, lapses }: Attempt & Pick<Task, 'lapses'>, at: string): JobEvent[] {
  const reason = 'The server stopped, or a store failed, while it ran'
  if (lapses + 1 < mostLapses) return loseTask(job, { taskId, attempt, reason }, at)
  return giveUpTask(job, taskId, `It was begun ${mostLapses} times and never finished`, at)
}

/**
 * Changes the job; whether this attempt is still to be worked on. Nothing changes when it is not the last one: another
 * server has taken over from one that seemed to have ended.
 */
async function changeAttempt(
  { db, live }: Platform,
  { topics }: { topics: ServerTaskHandler<ServerTaskType>['topics'] },
  { id, jobId, attempt }: Attempt,
  decide: Decide,
): Promise<boolean> {
  const at = new Date().toISOString()
  const lastOf = ({ tasks }: Job) => tasks.find((task) => task.id === id)
  let isLast = false
  const { job } = await db.transaction().execute((trx) =>
    changeJob(trx, jobId, system, (before) => {
      isLast = lastOf(before)?.attempt === attempt
      return isLast ? decide(before, at) : []
    }),
  )
  wakeFollowers()
  live({ type: 'changed', topics })
  const status = lastOf(job)?.status
  return isLast && (status === 'AVAILABLE' || status === 'RUNNING')
}
