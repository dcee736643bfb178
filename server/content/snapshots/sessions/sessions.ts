import { randomUUID } from 'node:crypto'
import { sql as postgres } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { partitionsOf, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'
import { withVolumeLock } from '#server/content/snapshots/locks.ts'

/**
 * Begins an empty live state on the committed scan of a volume, in place of an earlier one. Undefined without such a scan, and as long as its rows
 * have no IDs, because the version that wrote them had no layers: the next scan with a change gives them some. Waits for a running commit.
 */
export const startSession = (
  { db, clickhouse }: Stores,
  volumeId: number,
): Promise<{ session: string; baseScan: number } | undefined> =>
  withVolumeLock(db, volumeId, async (held) => {
    const volume = await held
      .selectFrom('volumes')
      .select(['generation', 'layers', 'committedScan'])
      .where('id', '=', volumeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (!volume || volume.generation === null || volume.committedScan === null) return undefined
    const { generation, layers, committedScan: baseScan } = volume
    if (!(await haveIds(clickhouse, { volumeId, generation, layers }))) return undefined
    const session = randomUUID()
    await inTransaction(held, async (trx) => {
      await replaceGeneration(trx, volumeId)
      const begun = { session, baseScan, generation: postgres<number>`nextval('generations')::integer`, flush: 0 }
      const unknown = {
        state: 'UNAVAILABLE' as const,
        reason: null,
        since: null,
        behindMs: null,
        asOf: null,
        seenAt: null,
      }
      await trx
        .insertInto('liveVolumes')
        .values({ volumeId, ...begun, ...unknown })
        .onConflict((on) => on.column('volumeId').doUpdateSet({ ...begun, ...unknown }))
        .execute()
    })
    return { session, baseScan }
  })

/** Returns whether the rows of a volume have IDs. Rows of a generation have them all, or none. */
export async function haveIds(clickhouse: ClickHouse, volume: ReadGenerations): Promise<boolean> {
  const [oldest] = partitionsOf([volume])
  const rows = await clickhouse.rows<{ hasId: number }>(
    sql`SELECT row_id > 0 AS hasId FROM entries WHERE _partition_id = ${oldest} LIMIT 1`,
    { quick: true },
  )
  return Boolean(rows[0]?.hasId)
}

/** Ends the live state of a volume that is no longer followed. */
export const endSession = ({ db }: Pick<Stores, 'db'>, volumeId: number): Promise<void> =>
  withVolumeLock(db, volumeId, (held) =>
    inTransaction(held, async (trx) => {
      await replaceGeneration(trx, volumeId)
      await trx.deleteFrom('liveVolumes').where('volumeId', '=', volumeId).execute()
    }),
  )

/**
 * Ends the live state on which a commit is not based, as its scan replaces it: part of the commit's transaction. The row stays, with the number of
 * entries in which the scan differs from the state, until the next session.
 */
export async function endReplacedSession(
  trx: Trx,
  volumeId: number,
  missed: { scanId: number; entries: number } | undefined,
) {
  await replaceGeneration(trx, volumeId)
  await trx
    .updateTable('liveVolumes')
    .set({ session: randomUUID(), ...(missed && { missed: JSON.stringify(missed) }) })
    .where('volumeId', '=', volumeId)
    .execute()
}

/** Has the generation dropped once no question reads it. */
export const replaceGeneration = (trx: Trx, volumeId: number) =>
  postgres`
    INSERT INTO replaced_generations (volume_id, generation)
    SELECT volume_id, generation FROM live_volumes WHERE volume_id = ${volumeId} ON CONFLICT DO NOTHING`.execute(trx)
