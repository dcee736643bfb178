import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import type { Session } from '#events/sessions.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import { hash } from '#server/platform/session.ts'

const sortable = {
  userName: sql`lower(users.name)`,
  createdAt: sql`sessions.created_at`,
  lastSeenAt: sql`sessions.last_seen_at`,
}

/** A page of the browsers that are signed in, the last one seen first unless asked otherwise; `own` is the id of the one that asks. */
export async function listSessions(db: Db, query: PageQuery, own: string | undefined) {
  const { page, size, sort = 'lastSeenAt', direction = 'desc' } = query
  checkSort(sort, sortable)
  const rows = await rowsOf(db)
    .orderBy(sortable[sort], direction)
    .orderBy('sessions.id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return { elements: rows.map(sessionsFor(own)), page, size, total, sort, direction }
}

/** Those of one user, the last one seen first. */
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
