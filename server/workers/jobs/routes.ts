import { jobs } from '#events/jobs/calls.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { notifiableTypes } from './notifiableTypes.ts'
import { checkSeen, sightOf } from './ownJobs.ts'
import { findJobDetails, listJobs, listJobTypes, listTasks } from './readJobs.ts'

export const jobRoutes = ({ db, config }: Pick<Platform, 'db' | 'config'>) => [
  route(jobs.list, ({ query }, by) => listJobs(db, { ...query, sight: sightOf(by) })),
  route(jobs.types, (_, by) => listJobTypes(db, config.bundles, sightOf(by))),
  route(jobs.notifiable, (_, by) => notifiableTypes({ db, config }, by)),
  route(jobs.one, async ({ params }, by) => {
    await checkSeen(db, params.id, by)
    return (await findJobDetails(db, params.id)) ?? notFound('job', params.id)
  }),
  route(jobs.tasks, async ({ params, query }, by) => {
    await checkSeen(db, params.id, by)
    return listTasks(db, params.id, query)
  }),
]
