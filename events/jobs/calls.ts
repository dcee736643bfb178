import { z } from 'zod'
import { Id, endpoint } from '#events/contract/endpoint.ts'
import { jobTypes } from './types.ts'
import { Job, Task } from './events.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'

/**
 * Attributes of a job that are not folded from its events. `version` is that of its stream: of two rows of a job, the
 * higher is newer. `agentName` is null if the agent was deleted. `userId` is the user who launched the job; null if the
 * product did, or if unknown.
 */
const shownWithJobs = { version: z.int(), agentName: z.string().nullable(), userId: z.int().nullable() }

/** A job in a list, without its tasks. */
export const JobRow = Job.omit({ tasks: true }).extend({ ...shownWithJobs })
export type JobRow = z.infer<typeof JobRow>

/** A job with its tasks and the version of the stream it was folded from. */
export const JobDetails = Job.extend({ ...shownWithJobs })
export type JobDetails = z.infer<typeof JobDetails>

/** SCAN_VOLUMES, which specification 3 §3 lists as a type of job, is the type of a task here. */
const typeOf = (word: unknown): unknown => (word === 'SCAN_VOLUMES' ? 'SCAN_ON_PREMISES' : word)

/** One or more types, as `types=A&types=B`; all types if absent or empty. */
const Types = z.object({
  types: z
    .preprocess(
      (value) =>
        [value]
          .flat()
          .filter((word) => word !== '')
          .map(typeOf),
      z.array(z.enum(jobTypes)),
    )
    .default([]),
})

/** Statuses that a user can request: CANCELLED cancels the job, WAITING pauses it, AVAILABLE resumes it. */
export const requestedStatuses = ['CANCELLED', 'WAITING', 'AVAILABLE'] as const

/** `WAITING` covers all open jobs that are not running. */
export const cancellableStates = ['WAITING', 'RUNNING'] as const

/** Users without ROLE_ADMIN can only see and change the jobs that they launched; other jobs are a 404. */
export const jobs = {
  list: endpoint({
    method: 'GET',
    path: '/v1/jobs',
    needs: 'jobs.see',
    failure: 'Something went wrong while fetching the jobs',
    query: z.intersection(PageQuery, Types),
    answer: pageOf(JobRow),
  }),
  types: endpoint({
    method: 'GET',
    path: '/v1/jobs/types',
    needs: 'jobs.see',
    failure: 'Something went wrong while fetching the job types',
    answer: z.array(z.enum(jobTypes)),
  }),
  /** Job types that users can be notified about. */
  notifiable: endpoint({
    method: 'GET',
    path: '/v1/jobs/notificable',
    needs: 'snapshots.see',
    failure: 'Something went wrong while fetching the job types',
    answer: z.array(z.enum(jobTypes)),
  }),
  one: endpoint({
    method: 'GET',
    path: '/v1/jobs/:id',
    needs: 'jobs.see',
    failure: 'Error while getting job with id [{id}]',
    params: Id,
    answer: JobDetails,
  }),
  tasks: endpoint({
    method: 'GET',
    path: '/v1/jobs/:id/tasks',
    needs: 'jobs.see',
    failure: 'Something went wrong while fetching the tasks',
    params: Id,
    query: PageQuery,
    answer: pageOf(Task),
  }),
  /** Accepts the job's own body, but only uses the status. 409 when the job is over or can't be paused. */
  change: endpoint({
    method: 'PUT',
    path: '/v1/jobs/:id',
    needs: 'jobs.control',
    failure: 'Unable to cancel job',
    params: Id,
    body: z.object({ status: z.enum(requestedStatuses) }),
    record: JobDetails,
    answer: JobDetails,
  }),
  cancelAll: endpoint({
    method: 'PUT',
    path: '/v1/jobs/cancel',
    needs: 'jobs.control',
    failure: 'Error while cancelling all the jobs',
    /** Without a status, waiting and running jobs are canceled. */
    query: z.object({ status: z.enum(cancellableStates).optional() }),
    answer: z.object({ cancelled: z.int() }),
  }),
}
