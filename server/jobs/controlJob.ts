import type { wantedStatuses } from '#events/job-calls.ts'
import { type Job, type JobEvent, type Task, type TaskType, isOpen, taskTypes } from '#events/jobs.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { changeJob } from './changeJob.ts'
import { cancelJob, pauseJob, resumeJob } from './decide.ts'
import type { TaskRunners } from './taskRunner.ts'

export type Wanted = (typeof wantedStatuses)[number]
type Order = { wanted: Wanted; by: Actor }

/** Cancels, pauses or resumes a job. Throws 409 when it is over, or cannot be paused any more. */
export async function controlJob(
  { db, live }: Pick<Platform, 'db' | 'live'>,
  runners: TaskRunners,
  jobId: number,
  order: Order,
): Promise<void> {
  const changed = await db.transaction().execute((trx) => control(trx, runners, jobId, order))
  wakeFollowers()
  live({ type: 'changed', topics: ['jobs'] })
  for (const [type, tasks] of byType(changed)) runners[type].tell(tasks)
}

async function control(trx: Trx, runners: TaskRunners, jobId: number, order: Order): Promise<Task[]> {
  await checkThere(trx, jobId)
  const tooFar: number[] = []
  for (const type of taskTypes) tooFar.push(...(await runners[type].hold(trx, jobId)))
  const at = new Date().toISOString()
  const { job, events } = await changeJob(trx, jobId, order.by, (job) => decide(job, tooFar, order, at))
  const touched = new Set(events.map((event) => 'taskId' in event && event.taskId))
  const changed = job.tasks.filter(({ id }) => touched.has(id))
  for (const [type, tasks] of byType(changed)) await runners[type].write(trx, tasks, order.by.name)
  return changed
}

const byType = (tasks: Task[]): Map<TaskType, Task[]> => Map.groupBy(tasks, ({ type }) => type)

async function checkThere(trx: Trx, jobId: number): Promise<void> {
  const job = await trx.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
  if (!job) notFound('job', jobId)
}

/** What is so already is left as it is. */
function decide(job: Job, tooFar: number[], { wanted, by }: Order, at: string): JobEvent[] {
  if (!isOpen(job)) return conflict(`Job ${job.id} is over: it is ${job.status}`)
  if (wanted === 'CANCELLED') return cancelJob(job, by.name, at)
  if (wanted === 'AVAILABLE') return resumeJob(job, by.name, at)
  const events = pauseJob(job, tooFar, by.name, at)
  if (events.length === 0 && job.status !== 'WAITING')
    conflict(`Job ${job.id} cannot be paused any more: all is scanned, and the snapshot is being made`)
  return events
}
