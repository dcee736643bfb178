import { proxy, ref } from 'valtio'
import { type Needs, may as mayWith } from '#events/contract/needs.ts'
import { type CurrentUser, currentUserInfo, loginInfo, logout, signInPath } from '#events/users/session.ts'
import { ownPathname, withBase } from './place/basePath.ts'
import { CallError, call, configureCalls } from './call.ts'
import { signInAddress } from './links.ts'
import { navigate } from './place/navigate.ts'
import { forgetRemotes } from './remote.ts'

/** Signed-in user; undefined until loaded. */
export const session = proxy<{ user: CurrentUser | undefined; error: Error | undefined }>({
  user: undefined,
  error: undefined,
})

/** Redirects calls without a session to the sign-in page. */
export const leaveWhenSignedOut = (): void => configureCalls({ signedOut: () => void leaveForSignIn() })
leaveWhenSignedOut()

/** Loads the signed-in user. Without a session, redirects to the sign-in page. */
export async function loadSession(): Promise<void> {
  try {
    const user = await call(currentUserInfo, { query: { optional: 'true' } })
    if (!user) return void leaveForSignIn()
    session.user = ref(user)
    session.error = undefined
  } catch (error) {
    const isSignedOut = error instanceof CallError && error.status === 401
    if (error instanceof CallError && error.code === 'wall') void leaveForSignIn()
    else if (!session.user && !isSignedOut) session.error = ref(error as Error)
  }
}

export function signedIn(user: CurrentUser): void {
  forgetRemotes()
  session.user = ref(user)
  session.error = undefined
}

export async function signOut(): Promise<void> {
  const { logoutUrl } = await call(logout, {})
  location.assign(withBase(logoutUrl))
}

/** Returns true if the user has the permission. */
export const userMay = (user: CurrentUser | undefined, what: Needs): boolean =>
  mayWith(
    user?.roles.map(({ authority }) => authority),
    what,
  )

/** Opens the sign-in page. If its URL can't be loaded, the error replaces the page. */
async function leaveForSignIn() {
  if (ownPathname() === signInPath) return
  session.user = undefined
  try {
    const { loginUrl } = await call(loginInfo, {})
    const address = signInAddress(loginUrl, ownPathname() + withoutToken(location.search))
    if (loginUrl.startsWith('/') && !loginUrl.startsWith('/api')) navigate(address, { replace: true })
    else location.assign(withBase(address))
  } catch (error) {
    session.error = ref(error as Error)
  }
}

/** The query of a page without the token of a wall display, which must not stay in a URL. */
function withoutToken(search: string): string {
  const query = new URLSearchParams(search)
  if (!query.has('token')) return search
  query.delete('token')
  return query.size > 0 ? `?${query}` : ''
}
