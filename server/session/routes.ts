import { currentUserInfo, login, loginInfo, logout, orchestrationUrl, sessionCookie } from '#events/session.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { findCurrentUser } from './currentUser.ts'
import { signIn, signOut } from './signIn.ts'

export const sessionRoutes = (platform: Platform) => [
  route(loginInfo, () => ({ loginUrl: '/login', singleSignOn: false })),
  route(login, async ({ body }, { address }, cookies) => {
    const { sessionId, userId } = await signIn(platform, body, address, cookies.get(sessionCookie))
    cookies.set(sessionCookie, sessionId)
    return findCurrentUser(platform, userId)
  }),
  route(logout, async (_, { address }, cookies) => {
    await signOut(platform, cookies.get(sessionCookie), address)
    cookies.remove(sessionCookie)
    return { logoutUrl: '/login' }
  }),
  route(orchestrationUrl, () => platform.config.orchestrationUrl ?? ''),
  route(currentUserInfo, (_, { id }) => findCurrentUser(platform, id)),
]
