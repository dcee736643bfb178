import type { IncomingMessage } from 'node:http'
import type { Role } from '#events/needs.ts'
import { sessionCookie } from '#events/session.ts'
import { wallCookie } from '#events/wall.ts'
import { readCookies } from './cookies.ts'
import type { Db } from './postgres.ts'
import { findSession } from './session.ts'
import { findWallSession } from './wallSession.ts'

/** A browser with a session: that of a user, or that of a wall display, which has no roles and may do what walls may. */
export type Visitor = { sessionId: string; id: number; name: string; roles: Role[]; isWall: boolean }

/** Whose browser it is by its cookies: of the two kinds of sessions a user's counts. Using one prolongs it. */
export async function findVisitor(db: Db, req: IncomingMessage): Promise<Visitor | undefined> {
  const { [sessionCookie]: ofUser, [wallCookie]: ofWall } = readCookies(req)
  const user = ofUser && (await findSession(db, ofUser))
  if (user) return { ...user, sessionId: ofUser, isWall: false }
  const wall = ofWall && (await findWallSession(db, ofWall))
  return wall ? { id: 0, name: `wall ${wall.name}`, roles: [], sessionId: ofWall, isWall: true } : undefined
}
