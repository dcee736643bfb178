import { changeOwnPassword as changeOwnPasswordCall, users } from '#events/users.ts'
import { sessionCookie } from '#events/session.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { createUser, removeUser, updateUser } from './changeUser.ts'
import { listUsers } from './listUsers.ts'
import { changeOwnPassword, resetPassword } from './passwords.ts'

export const userRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => {
  const tell = <Result>(result: Result): Result => {
    wakeFollowers()
    live({ type: 'changed', topics: ['users', 'sessions', 'apiTokens'] })
    return result
  }
  return [
    route(users.list, ({ query }) => listUsers(db, query)),
    route(users.create, ({ body }, by) => createUser(db, body, by).then(tell)),
    route(users.update, ({ params, body }, by) => updateUser(db, params.id, body, by).then(tell)),
    route(users.remove, ({ params }, by) => removeUser(db, params.id, by).then(tell)),
    route(users.resetPassword, ({ params }, by) => resetPassword(db, params.id, by).then(tell)),
    route(changeOwnPasswordCall, ({ body }, by, cookies) =>
      changeOwnPassword(db, body, by, cookies.get(sessionCookie)).then(tell),
    ),
  ]
}
