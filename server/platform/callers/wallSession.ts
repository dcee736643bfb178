import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Scope, scopeOfWall } from './scope.ts'
import { hash } from './session.ts'

/** Displays without a request in 30 days are deleted. A display sends one at least when its page reloads each night. */
const forgotten = sql<Date>`now() - interval '30 days'`

/** Starts a session for a display with a valid token and returns its id, which only the display keeps. */
export async function openWallSession(trx: Trx, tokenId: number): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await trx.deleteFrom('wallSessions').where('lastSeenAt', '<', forgotten).execute()
  await trx
    .insertInto('wallSessions')
    .values({ idHash: hash(id), tokenId })
    .execute()
  return id
}

/** Returns the wall of a session and what it sees, while its token is valid. */
export async function findWallSession(
  db: Db,
  id: string,
): Promise<{ wallId: number; name: string; scope: Scope } | undefined> {
  const found = await db
    .selectFrom('wallSessions')
    .innerJoin('wallTokens', 'wallTokens.id', 'wallSessions.tokenId')
    .select(['wallTokens.name', 'wallTokens.id as wallId'])
    .select(sql<boolean>`wall_sessions.last_seen_at < now() - interval '1 minute'`.as('isStale'))
    .where('idHash', '=', hash(id))
    .where('lastSeenAt', '>=', forgotten)
    .executeTakeFirst()
  if (found?.isStale) await see(db, id)
  return found && { wallId: found.wallId, name: found.name, scope: await scopeOfWall(db, found.wallId) }
}

const see = (db: Db, id: string) =>
  db
    .updateTable('wallSessions')
    .set({ lastSeenAt: sql<Date>`now()` })
    .where('idHash', '=', hash(id))
    .execute()

/** Ends a display's session; ignores an unknown one. */
export async function closeWallSession(db: Db | Trx, id: string): Promise<void> {
  await db.deleteFrom('wallSessions').where('idHash', '=', hash(id)).execute()
}

/** Returns the sessions that are still open, with what their walls see now; doesn't count as activity. */
export async function openWallSessions(db: Db, ids: readonly string[]): Promise<Map<string, Scope>> {
  if (ids.length === 0) return new Map()
  const byHash = new Map(ids.map((id) => [hash(id), id]))
  const rows = await db
    .selectFrom('wallSessions')
    .select(['idHash', 'tokenId'])
    .where('idHash', 'in', [...byHash.keys()])
    .execute()
  const walls = [...new Set(rows.map(({ tokenId }) => tokenId))]
  const scopes = new Map(await Promise.all(walls.map(async (id) => [id, await scopeOfWall(db, id)] as const)))
  return new Map(rows.map(({ idHash, tokenId }) => [byHash.get(idHash) ?? '', scopes.get(tokenId) as Scope]))
}
