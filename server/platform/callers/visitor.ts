import type { IncomingMessage } from 'node:http'
import { sessionCookie, viewCookie } from '#events/users/session.ts'
import { wallCookie } from '#events/wall.ts'
import { findTokenUser } from './apiToken.ts'
import { readCookies } from '#server/platform/http/cookies.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type SessionUser, findSession } from './session.ts'
import { findWallSession } from './wallSession.ts'

/** The caller: a user, or a wall display, which has no roles and the permissions of walls. */
export type Guest = SessionUser & { isWall: boolean; tokenId: number | null }

/** A browser with a session of a user or of a wall display. */
export type Visitor = Guest & { sessionId: string }

/**
 * Returns the visitor by the cookies; if both kinds of sessions are present, the user's counts. Prolongs the session.
 */
export async function findVisitor(db: Db, req: IncomingMessage): Promise<Visitor | undefined> {
  const { [sessionCookie]: own, [viewCookie]: view, [wallCookie]: ofWall } = readCookies(req)
  // After a view ended, its pages must not continue with the rights of the administrator.
  const ofUser = view ?? own
  const user = ofUser && (await findSession(db, ofUser))
  if (user) return { ...user, sessionId: ofUser, isWall: false, tokenId: null }
  const wall = ofWall && (await findWallSession(db, ofWall))
  if (!wall) return undefined
  const guest = { id: 0, name: `wall ${wall.name}`, roles: [], mustFirst: null, isConfirmed: false, viewedBy: null }
  return { ...guest, scope: wall.scope, tokenId: null, sessionId: ofWall, isWall: true }
}

/**
 * Returns the caller: the owner of the API token, otherwise the browser's. A call with an API token doesn't use the
 * cookies; throws 401 if the token is invalid.
 */
export async function findGuest(db: Db, req: IncomingMessage): Promise<Guest | undefined> {
  const token = tokenHeader(req)
  return token === undefined ? findVisitor(db, req) : { ...(await findTokenUser(db, token)), isWall: false }
}

/**
 * Returns the `Authorization` of a call by API token. Proxies pass on what they signed a browser in with: a name and a
 * password, or a JWT, which has dots. That isn't for this product, and such a call uses the cookies.
 */
export const tokenHeader = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined =>
  /^Bearer\b[^.]*$/i.test(authorization) ? authorization : undefined
