import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { created, ApiError } from '../answers.ts'
import { find } from '../contents/find.ts'
import type { Iconik } from '../contents/iconik.ts'
import { addJob, isAborted, type Job, jobStatuses } from '../contents/jobs.ts'
import { bodyOf, type Call, Uuid } from './call.ts'

const NewJob = z.strictObject({
  title: z.string().min(1),
  type: z.enum(['TRANSFER']),
  status: z.enum(jobStatuses).default('READY'),
  object_type: z.enum(['assets', 'collections']).optional(),
  object_id: Uuid.optional(),
  progress_processed: z.int().min(0).optional(),
  progress_total: z.int().min(1).optional(),
})

/** `POST jobs/v1/jobs/`. */
export function createJob(iconik: Iconik, call: Call): Answer {
  const { title, type, status, object_type, object_id, progress_processed, progress_total } = bodyOf(call, NewJob)
  const job = addJob(iconik, {
    title,
    type,
    status,
    objectType: object_type,
    objectId: object_id,
    progressProcessed: progress_processed ?? 0,
    progressTotal: progress_total ?? 100,
  })
  return created(shownJob(job))
}

/** `GET jobs/v1/jobs/{id}/`. */
export const readJob = ({ jobs }: Iconik, { params: [id = ''] }: Call): Answer =>
  answered(shownJob(find(jobs, id, 'Job')))

const JobChanges = z.strictObject({
  status: z.enum(jobStatuses).optional(),
  progress_processed: z.int().min(0).optional(),
  progress_total: z.int().min(1).optional(),
})

/** `PATCH jobs/v1/jobs/{id}/`. An aborted job stays aborted. */
export function changeJob({ jobs, readings }: Iconik, call: Call): Answer {
  const job = find(jobs, call.params[0] ?? '', 'Job')
  const changes = bodyOf(call, JobChanges)
  if (isAborted(job) && readings.abortedJob === 'refuses') throw new ApiError(409, `Job ${job.id} is aborted`)
  if (!isAborted(job)) job.status = changes.status ?? job.status
  job.progressProcessed = changes.progress_processed ?? job.progressProcessed
  job.progressTotal = changes.progress_total ?? job.progressTotal
  return answered(shownJob(job))
}

const shownJob = (job: Job) => ({
  id: job.id,
  title: job.title,
  type: job.type,
  status: job.status,
  object_type: job.objectType ?? null,
  object_id: job.objectId ?? null,
  progress_processed: job.progressProcessed,
  progress_total: job.progressTotal,
  date_created: job.createdAt,
})
