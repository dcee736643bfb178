import { counted } from '#events/contract/counted.ts'
import { streamNames } from '#events/streams.ts'
import { evolve, evolveVersion, type Job, type JobEvent, isEventAllowed } from '#events/jobs/events.ts'
import { type Actor, append, type Trx } from '#server/platform/log/eventLog.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { projectJob } from './project.ts'
import { waitingStatuses } from '#events/jobs/states.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'

/** The current state of a job, and the appended events. */
export type ChangedJob = { job: Job; events: JobEvent[] }

/**
 * Creates a job: appends its first events and writes its projection, in the caller's transaction. `limits` is the key of the scope that its
 * figures are counted within. Throws 409 if too many jobs are waiting.
 */
export async function beginJob(
  trx: Trx,
  jobId: number,
  by: Actor,
  events: JobEvent[],
  limits: string | null = null,
): Promise<Job> {
  const { job } = await write(trx, jobId, by, () => events)
  const userId = by.id && by.kind === undefined ? by.id : null
  await trx.updateTable('jobs').set({ userId, limits }).where('id', '=', jobId).execute()
  await checkQueue(trx, jobId, limits !== null)
  return job
}

/**
 * Appends the events that `decide` returns for the job, and updates its projection. Throws 409 for events not allowed
 * in its state.
 */
export const changeJob = (trx: Trx, jobId: number, by: Actor, decide: (job: Job) => JobEvent[]): Promise<ChangedJob> =>
  write(trx, jobId, by, (job) => decide(existing(job, jobId)))

async function write(
  trx: Trx,
  jobId: number,
  by: Actor,
  decide: (job: Job | undefined) => JobEvent[],
): Promise<ChangedJob> {
  let before: Job | undefined
  let after: Job | undefined
  const { events, version } = await append<JobEvent>(trx, streamNames.job(jobId), by, evolveVersion, (past) => {
    before = fold(past)
    const events = decide(before)
    after = events.reduce(allowed, before)
    return events
  })
  const job = existing(after, jobId)
  if (events.length > 0) await projectJob(trx, { job, version }, before)
  return { job, events }
}

/** The job after its events. */
const fold = (events: JobEvent[]): Job | undefined => events.reduce<Job | undefined>(evolve, undefined)

function allowed(job: Job | undefined, event: JobEvent): Job {
  if (job ? !isEventAllowed(job, event) : event.type !== 'JobQueued')
    conflict(`Job ${job?.id ?? ''} can't be ${actions[event.type] ?? 'changed'} in its current state`)
  return evolve(job, event)
}

const actions: Partial<Record<JobEvent['type'], string>> = {
  TaskPaused: 'paused',
  TaskResumed: 'resumed',
  TaskCancelled: 'cancelled',
}

function existing(job: Job | undefined, jobId: number): Job {
  return job ?? notFound('job', jobId)
}

/**
 * Throws 409 if the maximum number of jobs waited before this one was queued. Runs within its transaction, which holds
 * the lock of the log: of two jobs launched at once the second counts the first.
 */
async function checkQueue(trx: Trx, jobId: number, isLimited: boolean): Promise<void> {
  // Each job waits for a moment, so 0 would allow no job; one is always allowed.
  const maxWaiting = Math.max(1, await configuredNumber(trx, 'jobQueuedLength'))
  const { waiting } = await trx
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('status', 'in', waitingStatuses)
    .where('id', '!=', jobId)
    .executeTakeFirstOrThrow()
  // Users with limits don't learn the number of jobs of others.
  if (waiting >= maxWaiting && isLimited) conflict('Too many jobs are waiting. Try again later.', 'jobs-waiting')
  if (waiting >= maxWaiting)
    conflict(`There ${waiting === 1 ? 'is' : 'are'} already ${counted(waiting, 'job')} waiting`, 'jobs-waiting')
}
