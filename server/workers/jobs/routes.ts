import { jobs } from '#events/jobs/calls.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { notifiableTypes } from './notifiableTypes.ts'
import { checkOwn, ownerSeenBy } from './ownJobs.ts'
import { findJobDetails, listJobs, listJobTypes, listTasks } from './readJobs.ts'

export const jobRoutes = ({ db, config }: Pick<Platform, 'db' | 'config'>) => [
  route(jobs.list, ({ query }, by) => listJobs(db, { ...query, of: ownerSeenBy(by) })),
  route(jobs.types, () => listJobTypes(db, config.bundles)),
  route(jobs.notifiable, () => notifiableTypes({ db, config })),
  route(jobs.one, async ({ params }, by) => {
    await checkOwn(db, params.id, by)
    return (await findJobDetails(db, params.id)) ?? notFound('job', params.id)
  }),
  route(jobs.tasks, async ({ params, query }, by) => {
    await checkOwn(db, params.id, by)
    return listTasks(db, params.id, query)
  }),
]
