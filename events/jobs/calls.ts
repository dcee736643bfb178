import { z } from 'zod'
import { Moment } from '#events/contract/days.ts'
import { Id, endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { jobTypes } from './types.ts'
import { Job, jobStatuses, Task } from './events.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'

/**
 * Attributes of a job that are not folded from its events. `version` is that of its stream: of two rows of a job, the
 * higher is newer. `agentName` is null if the agent was deleted. `userId` is the user who launched the job; null if the
 * product did, or if unknown.
 */
const shownWithJobs = {
  version: z.int(),
  agentName: z.string().nullable(),
  userId: z.int().nullable(),
  /** Key of the limits that the figures were counted within; null or missing without limits. */
  limits: z.string().nullable().optional(),
  /**
   * Storages that the job scans, by their current names, failed ones first. Rows of a list have at most
   * `maxStoragesInRow`, details have all.
   */
  storages: z.array(z.object({ id: z.int(), name: z.string() })),
  storageCount: z.int(),
}

/** Storages named in a row of a list. A job may scan thousands. */
export const maxStoragesInRow = 10

/** A job in a list, without its tasks. */
export const JobRow = Job.omit({ tasks: true }).extend({ ...shownWithJobs })
export type JobRow = z.infer<typeof JobRow>

/** A job with its tasks and the version of the stream it was folded from. */
export const JobDetails = Job.extend({ ...shownWithJobs })
export type JobDetails = z.infer<typeof JobDetails>

/** SCAN_VOLUMES, which specification 3 §3 lists as a type of job, is the type of a task here. */
const typeOf = (word: unknown): unknown => (word === 'SCAN_VOLUMES' ? 'SCAN_ON_PREMISES' : word)

/** One or more words, as `name=A&name=B`. Absent or empty means all. */
const someOf = <T extends z.ZodType>(word: T, read: (word: unknown) => unknown = (word) => word) =>
  z
    .preprocess(
      (value) =>
        [value]
          .flat()
          .filter((word) => word !== '')
          .map(read),
      z.array(word),
    )
    .default([])

/** Filters of jobs, combined with AND. The times are those of creation; `createdTo` is exclusive. */
export const JobFilters = z.object({
  types: someOf(z.enum(jobTypes), typeOf),
  statuses: someOf(z.enum(jobStatuses)),
  /** Ids of agents. */
  agents: someOf(writtenInt(0, 2 ** 31 - 1)),
  /** Created within this number of hours before the call. */
  lastHours: writtenInt(1, 24 * 366).optional(),
  createdFrom: Moment.optional(),
  createdTo: Moment.optional(),
})
export type JobFilters = z.output<typeof JobFilters>

/** Statuses that a user can request: CANCELLED cancels the job, WAITING pauses it, AVAILABLE resumes it. */
export const requestedStatuses = ['CANCELLED', 'WAITING', 'AVAILABLE'] as const

/** `WAITING` covers all open jobs that are not running. */
export const cancellableStates = ['WAITING', 'RUNNING'] as const

/**
 * Users without ROLE_ADMIN can only see and change the jobs that they launched; other jobs are a 404. Users with limits see those that were
 * counted within their limits, and scans of storages that they see as a whole.
 */
export const jobs = {
  list: endpoint({
    method: 'GET',
    path: '/v1/jobs',
    needs: 'jobs.see',
    limitedBy: 'own',
    failure: 'Something went wrong while fetching the jobs',
    query: z.intersection(PageQuery, JobFilters),
    answer: pageOf(JobRow),
  }),
  /** Types that jobs can have here: those whose bundle is licensed, and those of jobs that exist. */
  types: endpoint({
    method: 'GET',
    path: '/v1/jobs/types',
    needs: 'jobs.see',
    limitedBy: { nothing: 'fixed names' },
    failure: 'Something went wrong while fetching the job types',
    answer: z.array(z.enum(jobTypes)),
  }),
  /** Job types that users can be notified about. */
  notifiable: endpoint({
    method: 'GET',
    path: '/v1/jobs/notificable',
    needs: 'snapshots.see',
    limitedBy: { nothing: 'fixed names' },
    failure: 'Something went wrong while fetching the job types',
    answer: z.array(z.enum(jobTypes)),
  }),
  one: endpoint({
    method: 'GET',
    path: '/v1/jobs/:id',
    needs: 'jobs.see',
    limitedBy: 'own',
    failure: 'Error while getting job with id [{id}]',
    params: Id,
    answer: JobDetails,
  }),
  tasks: endpoint({
    method: 'GET',
    path: '/v1/jobs/:id/tasks',
    needs: 'jobs.see',
    limitedBy: 'own',
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
    limitedBy: 'own',
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
    limitedBy: 'own',
    failure: 'Error while cancelling all the jobs',
    /** Without a status, waiting and running jobs are canceled. */
    query: z.object({ status: z.enum(cancellableStates).optional() }),
    answer: z.object({ cancelled: z.int() }),
  }),
}
