import { proxy, ref } from 'valtio'
import { navigate } from 'wouter/use-browser-location'
import { type Needs, may as mayWith } from '#events/contract/needs.ts'
import { type CurrentUser, currentUserInfo, loginInfo, logout, signInPath } from '#events/users/session.ts'
import { CallError, call, configureCalls } from './call.ts'
import { signInAddress } from './links.ts'
import { forgetRemotes } from './remote.ts'

/** Who is signed in here; `undefined` until it is known. */
export const session = proxy<{ user: CurrentUser | undefined; error: Error | undefined }>({
  user: undefined,
  error: undefined,
})

/** Calls that need a signed-in user lead to the sign-in. */
export const leaveWhenSignedOut = (): void => configureCalls({ signedOut: () => void leaveForSignIn() })
leaveWhenSignedOut()

/** Asks who is signed in; when nobody is, the call itself leads to the sign-in. */
export async function loadSession(): Promise<void> {
  try {
    const user = await call(currentUserInfo, {})
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
  location.assign(logoutUrl)
}

/** Whether a user may do what an endpoint needs. */
export const userMay = (user: CurrentUser | undefined, what: Needs): boolean =>
  mayWith(
    user?.roles.map(({ authority }) => authority),
    what,
  )

/** Goes to where one signs in; when nobody says where that is, the failure stands in place of all else. */
async function leaveForSignIn() {
  if (location.pathname === signInPath) return
  session.user = undefined
  try {
    const { loginUrl } = await call(loginInfo, {})
    const address = signInAddress(loginUrl, location.pathname + location.search)
    if (loginUrl.startsWith('/') && !loginUrl.startsWith('/api')) navigate(address, { replace: true })
    else location.assign(address)
  } catch (error) {
    session.error = ref(error as Error)
  }
}
