import type { IncomingMessage } from 'node:http'
import { sessionCookie } from '#events/users/session.ts'
import { wallCookie } from '#events/wall.ts'
import { findTokenUser } from './apiToken.ts'
import { readCookies } from './cookies.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type SessionUser, findSession } from './session.ts'
import { findWallSession } from './wallSession.ts'

/** Who asks: a user, or a wall display, which has no roles and may do what walls may. */
export type Guest = SessionUser & { isWall: boolean; tokenId: number | null }

/** A browser with a session: that of a user, or that of a wall display. */
export type Visitor = Guest & { sessionId: string }

/** Whose browser it is by its cookies: of the two kinds of sessions a user's counts. Using one prolongs it. */
export async function findVisitor(db: Db, req: IncomingMessage): Promise<Visitor | undefined> {
  const { [sessionCookie]: ofUser, [wallCookie]: ofWall } = readCookies(req)
  const user = ofUser && (await findSession(db, ofUser))
  if (user) return { ...user, sessionId: ofUser, isWall: false, tokenId: null }
  const wall = ofWall && (await findWallSession(db, ofWall))
  if (!wall) return undefined
  const guest = { id: 0, name: `wall ${wall.name}`, roles: [], mustChangePassword: false, tokenId: null }
  return { ...guest, sessionId: ofWall, isWall: true }
}

/**
 * Who makes a call: whoever its API token speaks for, else whose browser it is. A call with an `Authorization` is not the
 * browser's, so its cookies do not count; throws 401 when that is no token.
 */
export async function findGuest(db: Db, req: IncomingMessage): Promise<Guest | undefined> {
  const { authorization } = req.headers
  return authorization ? { ...(await findTokenUser(db, authorization)), isWall: false } : findVisitor(db, req)
}
