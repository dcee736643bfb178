import {
  currentUserInfo,
  login,
  loginInfo,
  logout,
  orchestrationUrl,
  sessionCookie,
  signInPath,
} from '#events/session.ts'
import { singleSignOnPaths } from '#events/single-sign-on.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { findCurrentUser } from './currentUser.ts'
import { sessionsRoutes } from './sessionsRoutes.ts'
import { signIn, signOut } from './signIn.ts'

export const sessionRoutes = (platform: Platform) => {
  const singleSignOn = platform.config.singleSignOn !== undefined
  return [
    route(loginInfo, () => ({ loginUrl: singleSignOn ? singleSignOnPaths.signIn : signInPath, singleSignOn })),
    route(login, async ({ body }, caller, cookies) => {
      const { sessionId, user } = await signIn(platform, body, { ...caller, old: cookies.get(sessionCookie) })
      cookies.set(sessionCookie, sessionId)
      platform.live({ type: 'changed', topics: ['users', 'sessions'] })
      return findCurrentUser(platform, user)
    }),
    route(logout, async (_, { address }, cookies) => {
      const cameFromProvider = await signOut(platform, cookies.get(sessionCookie), address)
      cookies.remove(sessionCookie)
      platform.live({ type: 'changed', topics: ['sessions'] })
      return { logoutUrl: singleSignOn && cameFromProvider ? singleSignOnPaths.signOut : signInPath }
    }),
    route(orchestrationUrl, () => platform.config.orchestrationUrl ?? ''),
    route(currentUserInfo, (_, caller) => findCurrentUser(platform, caller)),
    ...sessionsRoutes(platform),
  ]
}
