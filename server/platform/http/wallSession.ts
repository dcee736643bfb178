import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { hash } from './session.ts'

/** A display that asked for nothing in so long is forgotten. It asks at least when its page begins anew each night. */
const forgotten = sql<Date>`now() - interval '30 days'`

/** Begins the session of a display that came with a token, and returns its id, which only the display keeps. */
export async function openWallSession(trx: Trx, tokenId: number): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await trx.deleteFrom('wallSessions').where('lastSeenAt', '<', forgotten).execute()
  await trx
    .insertInto('wallSessions')
    .values({ idHash: hash(id), tokenId })
    .execute()
  return id
}

/** The name of the wall that a session is of, while its token was not ended. */
export async function findWallSession(db: Db, id: string): Promise<{ name: string } | undefined> {
  const found = await db
    .selectFrom('wallSessions')
    .innerJoin('wallTokens', 'wallTokens.id', 'wallSessions.tokenId')
    .select('wallTokens.name')
    .select(sql<boolean>`wall_sessions.last_seen_at < now() - interval '1 minute'`.as('isStale'))
    .where('idHash', '=', hash(id))
    .where('lastSeenAt', '>=', forgotten)
    .executeTakeFirst()
  if (found?.isStale) await see(db, id)
  return found && { name: found.name }
}

const see = (db: Db, id: string) =>
  db
    .updateTable('wallSessions')
    .set({ lastSeenAt: sql<Date>`now()` })
    .where('idHash', '=', hash(id))
    .execute()

/** Ends a display's session; an unknown one is no error. */
export async function closeWallSession(db: Db | Trx, id: string): Promise<void> {
  await db.deleteFrom('wallSessions').where('idHash', '=', hash(id)).execute()
}

/** Which of these sessions go on; asking does not count as being seen. */
export async function openWallSessions(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const byHash = new Map(ids.map((id) => [hash(id), id]))
  const rows = await db
    .selectFrom('wallSessions')
    .select('idHash')
    .where('idHash', 'in', [...byHash.keys()])
    .execute()
  return new Set(rows.map(({ idHash }) => byHash.get(idHash) ?? ''))
}
