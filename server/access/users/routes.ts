import { changeOwnPassword as changeOwnPasswordCall, users } from '#events/users/accounts.ts'
import { sessionCookie } from '#events/users/session.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { createUser, removeUser, topics, updateUser } from './accounts.ts'
import { listUsers } from './accounts.ts'
import { changeOwnPassword, resetPassword } from './passwords.ts'

export const userRoutes = (platform: Pick<Platform, 'db' | 'live' | 'clickhouse'>) => [
  route(users.list, ({ query }) => listUsers(platform.db, query)),
  route(users.create, ({ body }, by) => createUser(platform, body, by)),
  route(users.update, ({ params, body }, by) =>
    change(platform, by, topics, (change) => updateUser(change, params.id, body)),
  ),
  route(users.remove, ({ params }, by) =>
    change(platform, by, [...topics, 'schedules', 'savedSearches', 'reports'], (change) =>
      removeUser(change, params.id),
    ),
  ),
  route(users.resetPassword, ({ params }, by) => resetPassword(platform, params.id, by)),
  route(changeOwnPasswordCall, ({ body }, by, cookies) =>
    changeOwnPassword(platform, body, by, cookies.get(sessionCookie)),
  ),
]
