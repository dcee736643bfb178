import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { bundles, roles } from '#events/contract/needs.ts'

export const Credentials = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(255),
  password: z.string().min(1, 'must not be blank').max(1_000),
})

export const CurrentUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  roles: z.array(z.object({ authority: z.enum(roles) })),
  bundles: z.array(z.enum(bundles)),
  /** An account from single sign-on has no password here. */
  isOfProvider: z.boolean(),
  /** Signed in with a password that only serves to choose another: every other call is refused until then. */
  mustChangePassword: z.boolean(),
  /** Where to ask for help; null when this server names nobody. */
  supportUrl: z.string().nullable(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

/**
 * Where to sign in: the product's own screen, or what leads to the provider of the single sign-on. The screen, at `/login`, is
 * there in any case: it also takes the password of an account of this product. Sets the cross-site token.
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
export const currentUserInfo = endpoint({
  method: 'GET',
  path: '/currentUserInfo',
  needs: 'snapshots.see',
  failure: 'Unable to fetch the current user',
  answer: CurrentUser,
})

/** Where Orchestration is, the product beside this one; empty when this server does not know. */
export const orchestrationUrl = endpoint({
  method: 'GET',
  path: '/doPublicUrl',
  needs: 'snapshots.see',
  failure: 'Unable to get the address of Orchestration',
  answer: z.string(),
})

/** The cookies and the header of a session and of its cross-site token. */
export const sessionCookie = 'SESSION'
export const csrfCookie = 'XSRF-TOKEN'
export const csrfHeader = 'X-XSRF-TOKEN'

/** The sign-in screen. */
export const signInPath = '/login'

/** Where to go after a sign-in: an address of this product's screens as it was asked for, else the first page. */
export function ownPath(asked: unknown): string {
  const here = 'http://here.invalid'
  if (typeof asked !== 'string' || !asked.startsWith('/') || !URL.canParse(asked, here)) return '/'
  const { origin, pathname } = new URL(asked, here)
  return origin === here && !/^\/(login|api)(\/|$)/.test(pathname) ? asked : '/'
}
