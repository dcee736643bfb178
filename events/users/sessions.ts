import { z } from 'zod'
import { Id, endpoint } from '#events/contract/endpoint.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'

/** A browser that is signed in. */
export const Session = z.object({
  id: z.int(),
  userName: z.string(),
  address: z.string(),
  /** What the browser says it is; null when it says nothing. */
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** It is the one that asks. */
  isOwn: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** Those of everyone. */
export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/sessions',
    needs: 'users.edit',
    failure: 'Unable to fetch the sessions',
    query: PageQuery,
    answer: pageOf(Session),
  }),
  /** Signs a browser out; its socket closes at the next beat. */
  end: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/:id',
    needs: 'users.edit',
    failure: 'Unable to sign out the browser',
    params: Id,
  }),
}

/** Those of the caller, the last one seen first. */
export const ownSessions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/sessions/own',
    needs: 'snapshots.see',
    failure: 'Unable to fetch your sessions',
    answer: z.array(Session),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/own/:id',
    needs: 'snapshots.see',
    failure: 'Unable to sign out the browser',
    params: Id,
  }),
  /** Signs out every browser but the one that asks. */
  endOthers: endpoint({
    method: 'DELETE',
    path: '/v1/sessions/own',
    needs: 'snapshots.see',
    failure: 'Unable to sign out the other browsers',
    answer: z.object({ ended: z.int() }),
  }),
}
