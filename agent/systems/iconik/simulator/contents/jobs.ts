import { type Base, isoTime } from './base.ts'

export const jobStatuses = [
  'READY',
  'STARTED',
  'FINISHED',
  'FINISHED_WITH_WARNING',
  'FAILED',
  'WAITING',
  'ABORT_PENDING',
  'ABORTED',
  'SKIPPED',
  'PAUSED',
] as const

export type JobStatus = (typeof jobStatuses)[number]

export type Job = {
  id: string
  title: string
  type: string
  status: JobStatus
  objectType: string | undefined
  objectId: string | undefined
  progressProcessed: number
  progressTotal: number
  createdAt: string
}

export type Jobs = { jobs: Map<string, Job> }

export function addJob(iconik: Base & Jobs, values: Partial<Job> & Pick<Job, 'title' | 'type'>): Job {
  const job: Job = {
    status: 'READY',
    objectType: undefined,
    objectId: undefined,
    progressProcessed: 0,
    progressTotal: 100,
    createdAt: isoTime(iconik),
    ...values,
    id: iconik.newId(),
  }
  iconik.jobs.set(job.id, job)
  return job
}

const openStatuses: JobStatus[] = ['READY', 'STARTED', 'WAITING', 'PAUSED']

/** Starts a job of iconik. It fails if `work` returns a status of a failure, unless a user aborted it before. */
export function runJob(
  iconik: Base & Jobs,
  values: Pick<Job, 'title' | 'type' | 'objectId'>,
  work: () => JobStatus,
): Job {
  const job = addJob(iconik, { ...values, status: 'STARTED', objectType: 'assets' })
  iconik.clock.after(iconik.behavior.jobMs, () => {
    if (!openStatuses.includes(job.status)) return
    job.status = work()
    if (job.status === 'FINISHED') job.progressProcessed = job.progressTotal
  })
  return job
}

/** A user aborts a job in iconik. */
export function abortJob(job: Job): void {
  if (openStatuses.includes(job.status)) job.status = 'ABORTED'
}

export const isAborted = ({ status }: Job): boolean => status === 'ABORTED' || status === 'ABORT_PENDING'
