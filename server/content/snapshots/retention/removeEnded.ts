import { sql as postgres } from 'kysely'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { deleteFrom, dropPartition } from '#server/platform/clickhouse/statements.ts'
import { partitionId, partitionKey } from '#server/content/snapshots/reading/entriesAt.ts'
import { generationOf } from '#server/content/snapshots/commit/writeGeneration.ts'
import { withVolumeLockIfFree } from '#server/content/snapshots/locks.ts'

/**
 * Removes the rows that layers ended at least this many milliseconds ago: all questions since then leave them out. Their list is dropped as long
 * after that, since a question may read the list later than the rows. Can be interrupted and repeated at any point; a volume being
 * committed waits.
 */
export async function removeEnded({ db, clickhouse }: Stores, olderThanMs: number): Promise<void> {
  const due = await dueLayers(db, olderThanMs)
  for (const volumeId of new Set(due.map((layer) => layer.volumeId)))
    await withVolumeLockIfFree(db, volumeId, async (held) => {
      const layers = (await dueLayers(held, olderThanMs)).filter((layer) => layer.volumeId === volumeId)
      const isRemoved = Map.groupBy(layers, ({ removed }) => removed)
      await removeRowsOf({ db: held, clickhouse }, volumeId, generationsOf(isRemoved.get(false)))
      await dropLists({ db: held, clickhouse }, volumeId, generationsOf(isRemoved.get(true)))
    })
}

const dueLayers = (db: Db, olderThanMs: number) =>
  db
    .selectFrom('endedLayers')
    .select(['volumeId', 'generation', 'removed'])
    .where('since', '<', postgres<Date>`now() - ${olderThanMs} * interval '1 millisecond'`)
    .orderBy('generation')
    .execute()

const generationsOf = (layers: { generation: number }[] = []): number[] => layers.map(({ generation }) => generation)

/** Hides the rows at once, until a merge removes them: only a mask of each part is written. */
async function removeRowsOf({ db, clickhouse }: Stores, volumeId: number, layers: number[]): Promise<void> {
  if (layers.length === 0) return
  const lists = layers.map((generation) => partitionId(volumeId, generation))
  const ended = sql`FROM ended_rows WHERE _partition_id IN ${lists}`
  const touched = await clickhouse.rows<{ generation: number }>(
    sql`SELECT DISTINCT toFloat64(${generationOf(sql`row_id`)}) AS generation ${ended}`,
  )
  for (const { generation } of touched)
    await clickhouse.change(
      deleteFrom('entries', sql`row_id IN (SELECT row_id ${ended})`, text(partitionKey(volumeId, generation))),
    )
  await db
    .updateTable('endedLayers')
    .set({ removed: true, since: postgres<Date>`now()` })
    .where('volumeId', '=', volumeId)
    .where('generation', 'in', layers)
    .execute()
}

async function dropLists({ db, clickhouse }: Stores, volumeId: number, layers: number[]): Promise<void> {
  for (const generation of layers) {
    await clickhouse.change(dropPartition('ended_rows', partitionKey(volumeId, generation)))
    await db.deleteFrom('endedLayers').where('volumeId', '=', volumeId).where('generation', '=', generation).execute()
  }
}
