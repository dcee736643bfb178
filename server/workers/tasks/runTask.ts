import type { Job, JobEvent, Task } from '#events/jobs/events.ts'
import type { TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { ServerTaskType } from '#events/jobs/types.ts'
import {
  changeJob,
  endTask,
  failTask,
  giveUpTask,
  loseTask,
  progressTask,
  startTask,
} from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { messageOf, Problem } from '#server/platform/problem.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { ServerTaskHandler } from './taskHandler.ts'

type Attempt = Pick<Task, 'id' | 'attempt'> & { jobId: number }
type OpenTask<T extends ServerTaskType> = Attempt & Pick<Task, 'status' | 'lapses'> & { payload: TaskPayloadOf<T> }
type Decide = (job: Job, at: string) => JobEvent[]

/** A task is abandoned after this many failures or crashes of its server. */
const maxLapses = 5

/** Errors of tasks that failed in this process and will be taken back. */
const errors = new Map<number, unknown>()

/** An attempt failed. `task` is for the log, where a job's number leads to the cause. */
export class TaskError extends Error {
  readonly task: { jobId: number; taskId: number; attempt: number }
  constructor(task: TaskError['task'], cause: unknown) {
    super(messageOf(cause), { cause })
    this.task = task
  }
}

/** Runs an open task as a new attempt. Throws `TaskError` if it failed and should be tried again. */
export async function runTask<T extends ServerTaskType>(
  platform: Platform,
  handler: ServerTaskHandler<T>,
  task: OpenTask<T>,
  isStopping: () => boolean,
): Promise<void> {
  const attempt = task.attempt + 1
  const changeBefore = (decide: Decide) => changeAttempt(platform, handler, task, decide)
  const change = (decide: Decide) => changeAttempt(platform, handler, { ...task, attempt }, decide)
  // Uses no attempt while the store is away.
  await platform.clickhouse.ping()
  // Only one server runs such tasks at a time: a running one was abandoned.
  if (task.status === 'RUNNING' && !(await changeBefore((job, at) => takeBack(job, task, at)))) return
  if (!(await changeBefore((job, at) => startTask(job, task.id, attempt, at)))) return
  try {
    const result = await handler.run(
      task.payload,
      async (reached) => (await change((job, at) => progressTask(job, task.id, reached, at))) && !isStopping(),
    )
    if (result) await change((job, at) => endTask(job, task.id, result, at))
    else if (isStopping()) await change((job, at) => handOver(job, task.id, attempt, at))
  } catch (error) {
    if (!(error instanceof Problem)) {
      errors.set(task.id, error)
      throw new TaskError({ jobId: task.jobId, taskId: task.id, attempt }, error)
    }
    await change((job, at) => failTask(job, task.id, error.message, at))
  }
}

/**
 * Queues the task for another server, or the next start, unless it was paused or cancelled. A server that is stopped often is no
 * reason to give up the task.
 */
function handOver(job: Job, taskId: number, attempt: number, at: string): JobEvent[] {
  const isRunning = job.tasks.some(({ id, status }) => id === taskId && status === 'RUNNING')
  return isRunning ? loseTask(job, { taskId, attempt, reason: 'Its server stopped', isHandedOver: true }, at) : []
}

/** Queues the task again, or gives it up. A store that is away is no reason to give it up. */
function takeBack(job: Job, { id: taskId, attempt, lapses }: Attempt & Pick<Task, 'lapses'>, at: string): JobEvent[] {
  const error = errors.get(taskId)
  errors.delete(taskId)
  const reason = error ? messageOf(error) : 'the server stopped, or a store failed, while the task was running'
  if (isStoreLost(error)) return loseTask(job, { taskId, attempt, reason, isHandedOver: true }, at)
  if (lapses + 1 < maxLapses) return loseTask(job, { taskId, attempt, reason }, at)
  return giveUpTask(job, taskId, `Gave up after ${maxLapses} attempts; the last one failed: ${reason}`, at)
}

/**
 * Changes the job; returns whether to continue with this attempt. Does nothing if it is not the last one: another
 * server took over from one that seemed to have ended.
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
  const { job } = await inTransaction(db, (trx) =>
    changeJob(trx, jobId, system, (before) => {
      isLast = lastOf(before)?.attempt === attempt
      return isLast ? decide(before, at) : []
    }),
  )
  live({ type: 'changed', topics })
  const status = lastOf(job)?.status
  return isLast && (status === 'AVAILABLE' || status === 'RUNNING')
}
