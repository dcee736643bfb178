import { jobs } from '#events/jobs/calls.ts'
import { checkOwn, findJobDetails, sightOf } from '#server/workers/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { cancelAll, controlJob } from './controlJob.ts'
import type { TaskHandlers } from './taskHandler.ts'

export const taskRoutes = (platform: Platform, handlers: TaskHandlers) => [
  // Before the call with an id in its place.
  route(jobs.cancelAll, async ({ query }, by) => ({
    cancelled: await cancelAll(platform, handlers, { status: query.status, sight: sightOf(by), by }),
  })),
  route(jobs.change, async ({ params, body }, by) => {
    await checkOwn(platform.db, params.id, by)
    await controlJob(platform, handlers, params.id, { wanted: body.status, by })
    return (await findJobDetails(platform.db, params.id)) ?? notFound('job', params.id)
  }),
]
