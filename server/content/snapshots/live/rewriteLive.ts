import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { isInPartitions, partitionId } from '#server/content/snapshots/reading/entriesAt.ts'
import { nextGeneration } from '#server/content/snapshots/commit/commit.ts'
import { copyLiveRows, generationOf } from '#server/content/snapshots/commit/writeGeneration.ts'
import { replaceGeneration } from '#server/content/snapshots/sessions/sessions.ts'

const minEndedRows = 100_000

/** Writes the generation of a live state again if most of its rows ended, so that it stays small however often files change. Returns the state from then on. */
export async function rewriteIfWorthIt<State extends { volumeId: number; liveGeneration: number; flush: number }>(
  { db, clickhouse }: Stores,
  state: State,
  enough = minEndedRows,
): Promise<State> {
  const { volumeId, liveGeneration, flush } = state
  const own = partitionId(volumeId, liveGeneration)
  const isOwn = sql`${generationOf(sql`row_id`)} = ${liveGeneration}`
  const { ended, all } = await clickhouse.one<{ ended: number; all: number }>(sql`
    SELECT toFloat64(count()) AS ended, (SELECT toFloat64(count()) FROM entries WHERE _partition_id = ${own}) AS all
    FROM ended_rows WHERE _partition_id = ${own} AND ${isOwn}`)
  if (ended <= enough || ended * 2 <= all) return state
  const next = await nextGeneration(db)
  await copyLiveRows(
    clickhouse,
    { volumeId, generation: next },
    isInPartitions([{ volumeId, generation: liveGeneration, layers: [], live: { generation: liveGeneration, flush } }]),
  )
  await insertFrom(
    clickhouse,
    'ended_rows',
    sql`SELECT volume, ${next}, row_id, flush FROM ended_rows WHERE _partition_id = ${own} AND NOT ${isOwn}`,
  )
  await inTransaction(db, async (trx) => {
    await replaceGeneration(trx, volumeId)
    await trx.updateTable('liveVolumes').set({ generation: next }).where('volumeId', '=', volumeId).execute()
  })
  return { ...state, liveGeneration: next }
}
