import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { Session } from '#events/users/sessions.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { hash } from '#server/platform/http/session.ts'

const sortable = {
  userName: sql`lower(users.name)`,
  createdAt: sql`sessions.created_at`,
  lastSeenAt: sql`sessions.last_seen_at`,
}

/** A page of the signed-in browsers, the last one seen first by default; `own` is the caller's session id. */
export const listSessions = (db: Db, query: PageQuery, own: string | undefined) =>
  listPage(
    db,
    rowsOf(db),
    query,
    { sortable, sort: 'lastSeenAt', direction: 'desc', tie: 'sessions.id' },
    sessionsFor(own),
  )

/** The browsers of one user, the last one seen first. */
export async function listOwnSessions(db: Db, userId: number, own: string | undefined): Promise<Session[]> {
  const rows = await rowsOf(db)
    .where('userId', '=', userId)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('sessions.id')
    .execute()
  return rows.map(sessionsFor(own))
}

const rowsOf = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'users.name as userName', 'address', 'userAgent', 'sessions.createdAt'])
    .select(['lastSeenAt', 'idHash'])
    .where('expiresAt', '>', sql<Date>`now()`)

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
