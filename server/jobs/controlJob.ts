import type { wantedStatuses } from '#events/job-calls.ts'
import { type Job, type JobEvent, type Task, isOpen } from '#events/jobs.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { changeHeld, tellOf } from './changeHeld.ts'
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
  tellOf(runners, changed)
}

async function control(trx: Trx, runners: TaskRunners, jobId: number, order: Order): Promise<Task[]> {
  await checkThere(trx, jobId)
  const at = new Date().toISOString()
  return changeHeld(trx, runners, { jobId, by: order.by }, (job, tooFar) => decide(job, tooFar, order, at))
}

async function checkThere(trx: Trx, jobId: number): Promise<void> {
  const job = await trx.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
  if (!job) notFound('job', jobId)
}

/** What is so already is left as it is. */
function decide(job: Job, tooFar: readonly number[], { wanted, by }: Order, at: string): JobEvent[] {
  if (!isOpen(job)) return conflict(`Job ${job.id} is over: it is ${job.status}`)
  if (wanted === 'CANCELLED') return cancelJob(job, by.name, at)
  if (wanted === 'AVAILABLE') return resumeJob(job, by.name, at)
  const events = pauseJob(job, tooFar, by.name, at)
  if (events.length === 0 && job.status !== 'WAITING')
    conflict(`Job ${job.id} cannot be paused any more: all is scanned, and the snapshot is being made`)
  return events
}
