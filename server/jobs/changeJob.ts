import { type Job, type JobEvent, evolve, evolveVersion, mayHappen } from '#events/jobs.ts'
import { type Actor, type Trx, append } from '#server/platform/eventLog.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { checkQueue } from './checkQueue.ts'
import { projectJob } from './project.ts'

/** The stream of a job in the event log. */
export const streamOfJob = (jobId: number): string => `job-${jobId}`

/** A job as it now is, and what was appended to make it so. */
export type Changed = { job: Job; events: JobEvent[] }

/**
 * Begins a job: appends its first events and writes its projection, in the caller's transaction. Throws 409 when too
 * many jobs wait already.
 */
export async function beginJob(trx: Trx, jobId: number, by: Actor, events: JobEvent[]): Promise<Job> {
  const { job } = await write(trx, jobId, by, () => events)
  await checkQueue(trx, jobId)
  return job
}

/** Appends what `decide` makes of the job, and its projection with it. Throws 409 for what may not happen to it. */
export const changeJob = (trx: Trx, jobId: number, by: Actor, decide: (job: Job) => JobEvent[]): Promise<Changed> =>
  write(trx, jobId, by, (job) => decide(existing(job, jobId)))

async function write(
  trx: Trx,
  jobId: number,
  by: Actor,
  decide: (job: Job | undefined) => JobEvent[],
): Promise<Changed> {
  let before: Job | undefined
  let after: Job | undefined
  const { events, version } = await append<JobEvent>(trx, streamOfJob(jobId), by, evolveVersion, (past) => {
    before = fold(past)
    const events = decide(before)
    after = events.reduce(allowed, before)
    return events
  })
  const job = existing(after, jobId)
  if (events.length > 0) await projectJob(trx, { job, version }, before)
  return { job, events }
}

/** A job as its events make it. */
export const fold = (events: JobEvent[]): Job | undefined => events.reduce<Job | undefined>(evolve, undefined)

function allowed(job: Job | undefined, event: JobEvent): Job {
  if (job ? !mayHappen(job, event) : event.type !== 'JobQueued')
    conflict(`${event.type} cannot happen to job ${job?.id ?? ''} as it is`)
  return evolve(job, event)
}

function existing(job: Job | undefined, jobId: number): Job {
  return job ?? notFound('job', jobId)
}
