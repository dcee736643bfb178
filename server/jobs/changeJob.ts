import { type Job, type JobEvent, evolve, evolveVersion } from '#events/jobs.ts'
import { type Actor, type Trx, append } from '#server/platform/eventLog.ts'
import { notFound } from '#server/platform/problem.ts'
import { projectJob } from './project.ts'

/** The stream of a job in the event log. */
export const streamOfJob = (jobId: number): string => `job-${jobId}`

/** Begins a job: appends its first events and writes its projection, in the caller's transaction. */
export const beginJob = (trx: Trx, jobId: number, by: Actor, events: JobEvent[]): Promise<Job> =>
  write(trx, jobId, by, () => events)

/** Appends what `decide` makes of the job, and its projection with it; returns the job as it then is. */
export const changeJob = (trx: Trx, jobId: number, by: Actor, decide: (job: Job) => JobEvent[]): Promise<Job> =>
  write(trx, jobId, by, (past) => decide(existing(fold(past), jobId)))

async function write(trx: Trx, jobId: number, by: Actor, decide: (past: JobEvent[]) => JobEvent[]): Promise<Job> {
  const { past, events, version } = await append(trx, streamOfJob(jobId), by, evolveVersion, decide)
  const job = existing(fold([...past, ...events]), jobId)
  if (events.length > 0) await projectJob(trx, job, version)
  return job
}

/** A job as its events make it. */
export const fold = (events: JobEvent[]): Job | undefined => events.reduce<Job | undefined>(evolve, undefined)

function existing(job: Job | undefined, jobId: number): Job {
  return job ?? notFound('job', jobId)
}
