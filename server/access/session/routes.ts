import {
  confirmIdentity as confirmIdentityCall,
  currentUserInfo,
  login,
  loginInfo,
  logout,
  orchestrationUrl,
  sessionCookie,
  signInPath,
  viewCookie,
} from '#events/users/session.ts'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import type { Platform } from '#server/platform/platform.ts'
import { rememberBrowser } from '#server/platform/callers/knownBrowser.ts'
import { route } from '#server/platform/http/route.ts'
import { confirmIdentity } from './confirmIdentity.ts'
import { failedSignIns } from './failedSignIns.ts'
import { findCurrentUser, signIn, signOut } from './signIn.ts'
import { ownSessions, sessions, views } from '#events/users/sessions.ts'
import { endSessions } from '#server/platform/callers/session.ts'
import { change, type Change } from '#server/platform/log/change.ts'
import { notFound } from '#server/platform/problem.ts'
import { listOwnSessions, listSessions } from './listSessions.ts'
import { endView, startView } from './views.ts'
import type { Cookies } from '#server/platform/http/route.ts'

export const sessionRoutes = (platform: Platform) => {
  const singleSignOn = platform.config.singleSignOn !== undefined
  const noteFailure = failedSignIns(platform)
  return [
    route(loginInfo, (_, __, cookies) => {
      // The page has no session: if it was in a view, that has ended.
      dropView(cookies)
      return { loginUrl: singleSignOn ? singleSignOnPaths.signIn : signInPath, singleSignOn }
    }),
    route(login, async ({ body }, caller, cookies) => {
      const from = { ...caller, old: cookies.get(sessionCookie) }
      const { sessionId, user } = await signIn(platform, body, from, cookies, noteFailure)
      cookies.set(sessionCookie, sessionId)
      dropView(cookies)
      await rememberBrowser(platform.config, cookies, user.id)
      return findCurrentUser(platform, user)
    }),
    route(logout, async (_, { address }, cookies) => {
      const cameFromProvider = await signOut(platform, cookies.get(sessionCookie), address)
      cookies.remove(sessionCookie)
      dropView(cookies)
      return { logoutUrl: singleSignOn && cameFromProvider ? singleSignOnPaths.signOut : signInPath }
    }),
    route(confirmIdentityCall, ({ body }, by, cookies) =>
      confirmIdentity(platform, body, by, cookies.get(sessionCookie), noteFailure),
    ),
    route(orchestrationUrl, () => platform.config.orchestrationUrl ?? ''),
    route(currentUserInfo, (_, caller) => findCurrentUser(platform, caller)),
    route(views.start, async ({ params }, by, cookies) => {
      const own = cookies.get(sessionCookie)
      const id = await change(platform, by, [], (change) => startView(change, params.id, own))
      cookies.set(viewCookie, id)
    }),
    route(views.end, async (_, __, cookies) => {
      await endView(platform.db, cookies.get(viewCookie) ?? '')
      dropView(cookies)
    }),
    ...sessionsRoutes(platform),
  ]
}

const dropView = (cookies: Cookies): void => {
  if (cookies.get(viewCookie) !== undefined) cookies.remove(viewCookie)
}

const topics = ['sessions'] as const

/** Signed-in browsers: the user's own, and for administrators those of everyone. */
const sessionsRoutes = (platform: Pick<Platform, 'db' | 'live'>) => [
  route(ownSessions.list, ({ query }, { id }, cookies) =>
    listOwnSessions(platform.db, id, query, cookies.get(sessionCookie)),
  ),
  route(ownSessions.endOthers, (_, by, cookies) =>
    change(platform, by, topics, async ({ trx }) => ({
      ended: await endSessions(trx, { userId: by.id, except: cookies.get(sessionCookie) ?? '' }, by),
    })),
  ),
  route(ownSessions.end, ({ params }, by) =>
    change(platform, by, topics, (change) => signOutBrowser(change, { id: params.id, userId: by.id })),
  ),
  route(sessions.list, ({ query }, _, cookies) => listSessions(platform.db, query, cookies.get(sessionCookie))),
  route(sessions.end, ({ params }, by) => change(platform, by, topics, (change) => signOutBrowser(change, params))),
]

/** Signs a browser out, of any user or of the given one. Throws 404. */
async function signOutBrowser({ trx, by }: Change, which: { id: number; userId?: number }): Promise<void> {
  if ((await endSessions(trx, which, by)) === 0) notFound('session', which.id)
}
