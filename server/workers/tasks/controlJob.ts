import type { cancellableStates, requestedStatuses } from '#events/jobs/calls.ts'
import { type Job, type JobEvent, isOpen } from '#events/jobs/events.ts'
import { waitingStatuses } from '#events/jobs/states.ts'
import { cancelJob, isOwn, type JobSight, pauseJob, resumeJob } from '#server/workers/jobs/index.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem, conflict } from '#server/platform/problem.ts'
import { changeTasks } from './changeTasks.ts'
import type { TaskHandlers } from './taskHandler.ts'

export type WantedStatus = (typeof requestedStatuses)[number]
type Order = { wanted: WantedStatus; by: Actor }

/** Cancels, pauses or resumes a job. Throws 409 if it is over, or can no longer be paused. */
export async function controlJob(
  { db }: Pick<Platform, 'db'>,
  handlers: TaskHandlers,
  jobId: number,
  order: Order,
): Promise<void> {
  const at = new Date().toISOString()
  await changeTasks({ db }, handlers, { jobId, by: order.by }, (job, finished) => decide(job, finished, order, at))
}

/** Does nothing if the job already is in the wanted state. */
function decide(job: Job, finished: readonly number[], { wanted, by }: Order, at: string): JobEvent[] {
  if (!isOpen(job)) return conflict(`Job ${job.id} has already ended: it is ${job.status}`)
  if (wanted === 'CANCELLED') return cancelJob(job, by.name, at)
  if (wanted === 'AVAILABLE') return resumeJob(job, by.name, at)
  const events = pauseJob(job, finished, by.name, at)
  if (events.length === 0 && job.status !== 'WAITING')
    conflict(`Job ${job.id} can no longer be paused: everything is scanned and the snapshot is being created`)
  return events
}

/** Cancels own jobs of `sight`, or all; without a status, in any state. */
type CancelOrder = { status?: (typeof cancellableStates)[number] | undefined; sight?: JobSight | undefined; by: Actor }

/** Cancels all running jobs, all open jobs that don't run, or both; each separately. Returns the number of cancelled jobs. */
export async function cancelAll(
  platform: Pick<Platform, 'db'>,
  handlers: TaskHandlers,
  { status, sight, by }: CancelOrder,
): Promise<number> {
  const statuses = [
    ...(status === 'RUNNING' ? [] : waitingStatuses),
    ...(status === 'WAITING' ? [] : (['RUNNING'] as const)),
  ]
  const jobs = await platform.db
    .selectFrom('jobs')
    .select('id')
    .where('status', 'in', statuses)
    .where(isOwn(sight))
    .orderBy('id')
    .execute()
  let cancelled = 0
  for (const { id } of jobs) {
    const order = { wanted: 'CANCELLED', by } as const
    cancelled += await controlJob(platform, handlers, id, order).then(() => 1, noneIfItEndedMeanwhile)
  }
  return cancelled
}

function noneIfItEndedMeanwhile(error: unknown): 0 {
  if (error instanceof Problem && (error.status === 409 || error.status === 404)) return 0
  throw error
}
