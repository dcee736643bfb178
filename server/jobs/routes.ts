import { jobs } from '#events/job-calls.ts'
import { jobTypes } from '#events/job-types.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/route.ts'
import { listJobs, listTasks } from './listJobs.ts'
import { findJobDetails } from './readJobs.ts'

export const jobRoutes = ({ db }: Platform) => [
  route(jobs.list, ({ query }) => listJobs(db, query)),
  route(jobs.types, () => [...jobTypes]),
  route(jobs.notifiable, () => [...jobTypes]),
  route(jobs.one, async ({ params }) => (await findJobDetails(db, params.id)) ?? notFound('job', params.id)),
  route(jobs.tasks, ({ params, query }) => listTasks(db, params.id, query)),
]
