import { jobs } from '#events/job-calls.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/route.ts'
import { findJob, listJobs } from './readJobs.ts'

export const jobRoutes = ({ db }: Platform) => [
  route(jobs.list, ({ query }) => listJobs(db, query)),
  route(jobs.one, async ({ params }) => (await findJob(db, params.id)) ?? notFound('job', params.id)),
]
