import { limits } from '#events/users/limits.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
export { limitsOf, readLimits, setLimits } from './limits.ts'
export { readSeenPlaces } from './seenPlaces.ts'
import { limitsOfUser, readLimits, setLimits, setManyLimits } from './limits.ts'
import { readAccess } from './readAccess.ts'
import { listGroups } from './seenPlaces.ts'

/** Browsers read everything again that limits may change. */
const topics = ['users', 'limits'] as const

export const limitRoutes = (platform: Pick<Platform, 'db' | 'live' | 'config'>) => [
  route(limits.ofUser, ({ params }) => limitsOfUser(platform.db, params.id)),
  route(limits.ofGroup, ({ params }) => readLimits(platform.db, { groupName: params.name })),
  route(limits.groups, async ({ query }) => {
    const roles = platform.config.singleSignOn?.groupRoles ?? []
    const elements = await listGroups(
      platform.db,
      roles.map(({ group }) => group),
    )
    return { elements, page: 1, size: query.size, total: elements.length, sort: 'name', direction: 'asc' as const }
  }),
  route(limits.access, ({ params, query }) => readAccess(platform.db, params.id, query)),
  route(limits.limitUser, ({ params, body }, by) =>
    change(platform, by, topics, (change) => setLimits(change, { userId: params.id }, body)),
  ),
  route(limits.limitGroup, ({ params, body }, by) =>
    change(platform, by, topics, (change) => setLimits(change, { groupName: params.name }, body)),
  ),
  route(limits.limitMany, ({ body }, by) =>
    change(platform, by, topics, (change) => setManyLimits(change, body.limits)),
  ),
]
