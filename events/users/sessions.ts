import { z } from 'zod'
import { Id, endpoint } from '#events/contract/endpoint.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'

/**
 * Hours without use after which a session ends, and days after which it ends in any case. `providerHours`: the same for
 * single sign-on without a refresh token.
 */
export const sessionLimits = { browserHours: 12, scriptHours: 1, providerHours: 1, days: 30 } as const

/** Start of the user agent of every browser. Scripts, and tools such as curl, send other names. */
export const browserPrefix = 'Mozilla/'

/** A signed-in browser, or a script that signed in like one. */
export const Session = z.object({
  id: z.int(),
  userName: z.string(),
  address: z.string(),
  /** User agent of the browser or script; null if it sends none. */
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** True for the session of this request. */
  isOwn: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** Sessions of all users. */
export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/sessions',
    needs: 'users.edit',
    failure: 'Unable to fetch the sessions',
    query: PageQuery,
    answer: pageOf(Session),
  }),
  /** Signs a browser out. Its socket closes at the next beat. */
  end: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/:id',
    needs: 'users.edit',
    failure: 'Unable to sign out the browser',
    params: Id,
  }),
}

/** Sessions of the caller, last seen first by default. */
export const ownSessions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/sessions/own',
    needs: 'snapshots.see',
    limitedBy: 'own',
    failure: 'Unable to fetch your sessions',
    query: PageQuery,
    answer: pageOf(Session),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/own/:id',
    needs: 'snapshots.see',
    limitedBy: 'own',
    failure: 'Unable to sign out the browser',
    params: Id,
  }),
  /** Signs out every browser except the caller's. */
  endOthers: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/own',
    needs: 'snapshots.see',
    limitedBy: 'own',
    failure: 'Unable to sign out the other browsers',
    answer: z.object({ ended: z.int() }),
  }),
}

/** Minutes after which a view ends. */
export const viewMinutes = 60

/** A view: a read-only session in which an administrator sees the product as a user does. */
export const views = {
  /** Starts a view in this browser. It ends with the administrator's session or role, and with the user's account. */
  start: endpoint({
    method: 'POST',
    path: '/v1/users/:id/view',
    needs: 'users.edit',
    failure: 'Unable to see the product as this user',
    params: Id,
    confirm: true,
    browserOnly: true,
  }),
  /** Ends the view of this browser, if there is one. */
  end: endpoint({ method: 'DELETE', path: '/v1/view', needs: 'nothing', failure: 'Unable to stop' }),
}
