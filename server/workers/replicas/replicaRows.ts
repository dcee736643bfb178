import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { type Selectable, sql } from 'kysely'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

/** A server on these stores. */
export type Replica = Selectable<Tables['replicas']>

/** Identifies a server among those on the same stores. It has the same ID after a restart. */
export const replicaId = ({ data, port }: Pick<Config, 'data' | 'port'>): string =>
  createHash('sha256')
    .update(JSON.stringify([hostname(), data, port]))
    .digest('hex')
    .slice(0, 16)

/** Silence after which a server counts as ended: three missed renewals. */
const isRunning = sql<boolean>`seen_at > clock_timestamp() - interval '15 seconds'`

/** All running servers. */
export const runningReplicas = (db: Db): Promise<Replica[]> =>
  db.selectFrom('replicas').selectAll().where(isRunning).orderBy('startedAt').execute()

/** The other running servers, in the order of their starts. */
export async function otherReplicas(db: Db, config: Pick<Config, 'data' | 'port'>): Promise<Replica[]> {
  const own = replicaId(config)
  return (await runningReplicas(db)).filter(({ id }) => id !== own)
}

/** Hosts of running servers that don't know all applied migrations. */
export async function outdatedHosts(db: Db): Promise<string[]> {
  const newest = (store: string) =>
    sql`(SELECT coalesce(max(name COLLATE "C"), '') FROM migrations WHERE store = ${store})`
  const rows = await db
    .selectFrom('replicas')
    .select('host')
    .distinct()
    .where(isRunning)
    .where(sql<boolean>`(postgres < ${newest('postgres')} OR clickhouse < ${newest('clickhouse')})`)
    .orderBy('host')
    .execute()
  return rows.map(({ host }) => host)
}

type Own = Pick<Replica, 'id' | 'secretKey' | 'postgres' | 'clickhouse'>

/** Any number, the same in every replica: the times of starts are in the order of their commits. */
const startLock = 7_403_003

/** Adds or renews the row of this server; `isStart` also sets the time of its start. */
export async function renewReplica(db: Db, own: Own, isStart: boolean): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const row = { ...own, host: hostname(), seenAt: now }
  await db.transaction().execute(async (trx) => {
    if (isStart) await sql`SELECT pg_advisory_xact_lock(${startLock})`.execute(trx)
    await trx
      .insertInto('replicas')
      .values(row)
      .onConflict((on) => on.column('id').doUpdateSet({ ...row, ...(isStart && { startedAt: now }) }))
      .execute()
  })
}

/** Removes the row of a server that ends. */
export const removeReplica = async (db: Db, id: string): Promise<void> =>
  void (await db.deleteFrom('replicas').where('id', '=', id).execute())

/** Removes the rows of servers that ended without removing them. */
export const forgetEndedReplicas = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('replicas')
    .where(sql<boolean>`seen_at < clock_timestamp() - interval '1 day'`)
    .execute())
