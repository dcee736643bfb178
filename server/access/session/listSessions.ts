import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { Session } from '#events/users/sessions.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { hash } from '#server/platform/callers/session.ts'

const sortable = {
  userName: textOrder('users.name'),
  createdAt: sql`sessions.created_at`,
  lastSeenAt: sql`sessions.last_seen_at`,
}

const order = { sortable, sort: 'lastSeenAt', direction: 'desc', tie: 'sessions.id' } as const

/** A page of everyone's sessions, the last one seen first by default; `own` is the caller's session id. */
export const listSessions = (db: Db, query: PageQuery, own: string | undefined) =>
  listPage(db, rowsOf(db), query, order, sessionsFor(own))

/** Same for the sessions of one user. */
export const listOwnSessions = (db: Db, userId: number, query: PageQuery, own: string | undefined) =>
  listPage(db, rowsOf(db).where('userId', '=', userId), query, order, sessionsFor(own))

const rowsOf = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'users.name as userName', 'address', 'userAgent', 'sessions.createdAt'])
    .select(['lastSeenAt', 'idHash'])
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('viewedBy', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

function sessionsFor(own: string | undefined) {
  const ownHash = own && hash(own)
  return ({ idHash, createdAt, lastSeenAt, ...session }: Row): Session => ({
    ...session,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isOwn: idHash === ownHash,
  })
}
