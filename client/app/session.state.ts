import { proxy, ref } from 'valtio'
import { type Endpoint, isRefusedWithLimits } from '#events/contract/endpoint.ts'
import { type Needs, may as mayWith } from '#events/contract/needs.ts'
import {
  type CurrentUser,
  type SeenPlaces,
  currentUserInfo,
  loginInfo,
  logout,
  seenText,
  signInPath,
} from '#events/users/session.ts'
import { views } from '#events/users/sessions.ts'
import { ownPathname, withBase } from './place/basePath.ts'
import { CallError, call, configureCalls } from './call.ts'
import { signInAddress } from './links.ts'
import { navigate } from './place/navigate.ts'
import { forgetRemotes } from './remote.ts'

/** Signed-in user; undefined until loaded. */
export const session = proxy<Session>({ user: undefined, error: undefined, wall: undefined })
/** `wall`: places that this wall display sees; undefined for everything, and in other pages. */
type Session = { user: CurrentUser | undefined; error: Error | undefined; wall: SeenPlaces | undefined }

/** Redirects calls without a session to the sign-in page, and keeps back those that the user's limits refuse. */
export const leaveWhenSignedOut = (): void =>
  configureCalls({
    signedOut: () => void leaveForSignIn(),
    refusal: (endpoint) => {
      const limits = session.user?.limits ?? session.wall
      return limits && isRefusedWithLimits(endpoint) ? refusalFor(limits) : undefined
    },
  })
leaveWhenSignedOut()

/** Loads the signed-in user. Without a session, redirects to the sign-in page. */
export async function loadSession(): Promise<void> {
  try {
    const user = await call(currentUserInfo, { query: { optional: 'true' } })
    if (!user) return void leaveForSignIn()
    if (session.user && session.user.limits?.version !== user.limits?.version) forgetRemotes()
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

/** Permission by name, or of a call, which the limits of the user may refuse too. */
export type Permission = Needs | Pick<Endpoint, 'needs' | 'limitedBy'>

/** Returns true if the user has the permission. */
export function userMay(user: CurrentUser | undefined, what: Permission): boolean {
  const needs = typeof what === 'string' ? what : what.needs
  const isRefused = typeof what !== 'string' && user?.limits !== undefined && isRefusedWithLimits(what)
  const roles = user?.roles.map(({ authority }) => authority)
  const isRight = needs !== 'entries.tagManaged' || user?.isManager === true || mayWith(roles, 'entries.tag')
  return !isRefused && isRight && mayWith(roles, needs)
}

/** Line in place of data that the user's limits refuse, such as the capacity of a storage that the user sees only in part. */
export const refusalFor = (limits: SeenPlaces | undefined = session.user?.limits): string =>
  `Not available for ${limits ? seenText(limits) : 'your projects'}`

/** True for a user whose limits allow nothing. */
export const seesNothing = ({ limits }: CurrentUser): boolean =>
  limits !== undefined && limits.projects.length + limits.storages.length + limits.folders === 0

/** Shows the product as a user sees it, until `stopView`. */
export async function startView(id: number): Promise<void> {
  await call(views.start, { params: { id } })
  showAgain()
}

/** Shows the administrator's own product again. */
export async function stopView(): Promise<void> {
  await call(views.end, {})
  showAgain()
}

/** All pages of the browser have the same session, so each has to load again. */
// Other pages get the event of a changed key.
const viewKey = 'viewChanged'
globalThis.addEventListener?.('storage', ({ key }) => key === viewKey && location.reload())
function showAgain(): void {
  localStorage.setItem(viewKey, String(Date.now()))
  location.assign(withBase('/'))
}

/** Opens the sign-in page. If its URL can't be loaded, the error replaces the page. */
async function leaveForSignIn() {
  if (ownPathname() === signInPath) return
  // A view ended: its administrator is still signed in.
  if (session.user?.viewedBy !== undefined) return stopView()
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
