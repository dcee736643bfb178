import { sessionCookie } from '#events/session.ts'
import { ownSessions, sessions } from '#events/sessions.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { listOwnSessions, listSessions } from './listSessions.ts'
import { signOutBrowser, signOutOthers } from './signOutOthers.ts'

/** The browsers that are signed in: one's own and, for administrators, those of everyone. */
export const sessionsRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => {
  const tell = <Result>(result: Result): Result => {
    wakeFollowers()
    live({ type: 'changed', topics: ['sessions'] })
    return result
  }
  return [
    route(ownSessions.list, (_, { id }, cookies) => listOwnSessions(db, id, cookies.get(sessionCookie))),
    route(ownSessions.endOthers, (_, by, cookies) => signOutOthers(db, by, cookies.get(sessionCookie)).then(tell)),
    route(ownSessions.end, ({ params }, by) => signOutBrowser(db, { id: params.id, userId: by.id }, by).then(tell)),
    route(sessions.list, ({ query }, _, cookies) => listSessions(db, query, cookies.get(sessionCookie))),
    route(sessions.end, ({ params }, by) => signOutBrowser(db, params, by).then(tell)),
  ]
}
