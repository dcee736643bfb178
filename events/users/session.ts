import { z } from 'zod'
import { counted } from '#events/contract/counted.ts'
import { endpoint } from '#events/contract/endpoint.ts'
import { bundles, roles } from '#events/contract/needs.ts'

export const Credentials = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(255),
  password: z.string().min(1, 'must not be blank').max(1_000),
  /** Code of the second factor or recovery code, for users who have one. Without it, they get 401 with `secondFactorCode`. */
  code: z.string().trim().max(100).default(''),
})

const Named = z.object({ id: z.int(), name: z.string() })

/** Places that a limited user sees: all of some projects, storages and folders. */
export const SeenPlaces = z.object({
  projects: z.array(Named),
  storages: z.array(Named),
  /** Number of single folders. */
  folders: z.int(),
  /** Another text once the user sees something else. */
  version: z.string(),
})
export type SeenPlaces = z.infer<typeof SeenPlaces>

/** Places that a limited user sees, such as `your 3 projects and 1 storage`. */
export const seenText = (limits: SeenPlaces): string => `your ${placesText(limits)}`

/** The same without `your`. */
export function placesText({ projects, storages, folders }: SeenPlaces): string {
  const parts = [
    ...(projects.length > 0 ? [counted(projects.length, 'project')] : []),
    ...(storages.length > 0 ? [counted(storages.length, 'storage')] : []),
    ...(folders > 0 ? [counted(folders, 'folder')] : []),
  ]
  // Browsers of walls load this too, and have no format of lists.
  const last = parts.pop()
  if (last === undefined) return 'projects'
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last
}

export const CurrentUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  roles: z.array(z.object({ authority: z.enum(roles) })),
  bundles: z.array(z.enum(bundles)),
  /** True for an account of single sign-on, which has no password here. */
  isOfProvider: z.boolean(),
  /** True after a sign-in with a one-time password. All calls except changing it are refused. */
  mustChangePassword: z.boolean(),
  /** The user signs in and confirms with a code too. */
  hasSecondFactor: z.boolean(),
  /** An administrator requires a second factor. All calls except setting it up are refused. */
  mustSetUpSecondFactor: z.boolean(),
  /** URL of the support; null if none is configured. */
  supportUrl: z.string().nullable(),
  /** Absent for users who see everything. */
  limits: SeenPlaces.optional(),
  /** The user manages projects, and tags files and folders below their folders. */
  isManager: z.literal(true).optional(),
  /** Name of the administrator who sees the product as this user, and can't change anything. */
  viewedBy: z.string().optional(),
  /** True if the user has the maximum of open pages: further ones get no live updates. */
  hasTooManyPages: z.literal(true).optional(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

/**
 * Location of the sign-in: the product's own screen, or the path that leads to the single sign-on provider. The screen
 * at `/login` always exists and accepts passwords of local accounts. Sets the cross-site token.
 */
export const loginInfo = endpoint({
  method: 'GET',
  path: '/loginInfo',
  needs: 'nothing',
  failure: 'Unable to reach the sign-in',
  answer: z.object({ loginUrl: z.string(), singleSignOn: z.boolean() }),
})
export const login = endpoint({
  method: 'POST',
  path: '/login',
  needs: 'nothing',
  failure: 'Unable to sign in',
  body: Credentials,
  answer: CurrentUser,
})
/** Also at `/logout`, without `/api`. */
export const logout = endpoint({
  method: 'POST',
  path: '/logout',
  needs: 'nothing',
  failure: 'Unable to sign out',
  answer: z.object({ logoutUrl: z.string() }),
})
/** With `optional`, callers without a session get null instead of 401, which browsers log as an error. */
export const currentUserInfo = endpoint({
  method: 'GET',
  path: '/currentUserInfo',
  needs: 'snapshots.see',
  limitedBy: 'own',
  isOptional: true,
  failure: 'Unable to fetch the current user',
  query: z.object({ optional: z.literal('true').optional() }),
  answer: CurrentUser.nullable(),
})

/** Minutes after a sign-in or a confirmation in which calls with `confirm` are allowed. */
export const confirmedMinutes = 5

/** Code of the answer 403 to a call that has to be repeated after a confirmation. */
export const confirmCode = 'confirm'

/**
 * Confirms the user of this browser by the password, and the code of a second factor if there is one, for `confirmedMinutes`. Users of single sign-on have none: they sign
 * in again, and the call reports with 403 if they haven't.
 */
export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/v1/session/confirmation',
  needs: 'snapshots.see',
  limitedBy: 'own',
  browserOnly: true,
  failure: 'Unable to confirm who you are',
  body: z.object({ password: z.string().max(1_000).default(''), code: z.string().trim().max(100).default('') }),
})

/** URL of Orchestration, the companion product; empty if not configured. */
export const orchestrationUrl = endpoint({
  method: 'GET',
  path: '/doPublicUrl',
  needs: 'snapshots.see',
  limitedBy: { nothing: 'a setting' },
  failure: 'Unable to get the address of Orchestration',
  answer: z.string(),
})

/** Cookies and header of a session and its cross-site token. */
export const sessionCookie = 'SESSION'
/** Session in which an administrator sees what a user sees. It takes precedence. */
export const viewCookie = 'VIEW'
export const csrfCookie = 'XSRF-TOKEN'
export const csrfHeader = 'X-XSRF-TOKEN'

/** The sign-in screen. */
export const signInPath = '/login'

/** Target after a sign-in: the requested path if it is a screen of this product, else the first page. */
export function ownPath(path: unknown): string {
  const here = 'http://here.invalid'
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, here)) return '/'
  const { origin, pathname } = new URL(path, here)
  return origin === here && !/^\/(login|api)(\/|$)/.test(pathname) ? path : '/'
}
