import { z } from 'zod'
import { Id, endpoint } from '#events/contract/endpoint.ts'
import { jobTypes } from './types.ts'
import { Job, Task } from './events.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'

/**
 * What is shown beside a job. `version` is that of its stream, so that of two rows of a job the higher is the newer;
 * `agentName` is null when the agent was deleted. `userId` is who launched it; null when the product itself did, and for jobs
 * whose user is not known.
 */
const shownWithJobs = { version: z.int(), agentName: z.string().nullable(), userId: z.int().nullable() }

/** A job in a list: without its tasks. */
export const JobRow = Job.omit({ tasks: true }).extend({ ...shownWithJobs })
export type JobRow = z.infer<typeof JobRow>

/** A job with its tasks and the version of the stream it was folded from. */
export const JobDetails = Job.extend({ ...shownWithJobs })
export type JobDetails = z.infer<typeof JobDetails>

/** One type or several, as `types=A&types=B`; none at all means every type. */
const Types = z.object({
  types: z.preprocess((words) => [words].flat(), z.array(z.enum(jobTypes))).default([]),
})

/** The statuses that a user may put a job into: CANCELLED ends it, WAITING pauses it, AVAILABLE lets it go on. */
export const wantedStatuses = ['CANCELLED', 'WAITING', 'AVAILABLE'] as const

/** `WAITING` stands for all jobs that are open and do not run. */
export const cancellableStates = ['WAITING', 'RUNNING'] as const

/** Those without the role ROLE_ADMIN see and change the jobs that they launched; all others are unknown to them: 404. */
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
  /** The types that a user can be told of when they end. */
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
  /** Takes the job's own body, of which the status counts. 409 when the job is over or cannot be paused. */
  change: endpoint({
    method: 'PUT',
    path: '/v1/jobs/:id',
    needs: 'jobs.control',
    failure: 'Unable to cancel job',
    params: Id,
    body: z.object({ status: z.enum(wantedStatuses) }),
    answer: JobDetails,
  }),
  cancelAll: endpoint({
    method: 'PUT',
    path: '/v1/jobs/cancel',
    needs: 'jobs.control',
    failure: 'Error while cancelling all the jobs',
    query: z.object({ status: z.enum(cancellableStates) }),
    answer: z.object({ cancelled: z.int() }),
  }),
}
