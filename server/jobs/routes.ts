import { jobs } from '#events/job-calls.ts'
import { jobTypes } from '#events/job-types.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/route.ts'
import { cancelAll } from './cancelAll.ts'
import { controlJob } from './controlJob.ts'
import { listJobs, listTasks } from './listJobs.ts'
import { findJobDetails } from './readJobs.ts'
import type { TaskRunners } from './taskRunner.ts'

export const jobRoutes = (platform: Platform, runners: TaskRunners) => {
  const { db } = platform
  const details = async (id: number) => (await findJobDetails(db, id)) ?? notFound('job', id)
  return [
    route(jobs.list, ({ query }) => listJobs(db, query)),
    route(jobs.types, () => [...jobTypes]),
    route(jobs.notifiable, () => [...jobTypes]),
    route(jobs.one, ({ params }) => details(params.id)),
    route(jobs.tasks, ({ params, query }) => listTasks(db, params.id, query)),
    // Before the call with an id in its place.
    route(jobs.cancelAll, async ({ query }, by) => ({
      cancelled: await cancelAll(platform, runners, { status: query.status, by }),
    })),
    route(jobs.change, async ({ params, body }, by) => {
      await controlJob(platform, runners, params.id, { wanted: body.status, by })
      return details(params.id)
    }),
  ]
}
