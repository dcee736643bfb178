import { sql as postgres } from 'kysely'
import { tablesOf } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { dropPartition, dropTables, removeRows } from '#server/platform/clickhouse/statements.ts'
import { partitionKey } from '#server/content/snapshots/reading/entriesAt.ts'
import { dropUnusedDuplicates } from '#server/content/snapshots/duplicates/forgetDuplicates.ts'

/** Drops the tables of a scan's staging and commit. */
export async function dropScanTables(clickhouse: ClickHouse, scanId: number): Promise<void> {
  await clickhouse.command(dropTables(Object.values(tablesOf(scanId))))
}

async function dropGeneration(clickhouse: ClickHouse, volume: number, generation: number): Promise<void> {
  for (const table of ['ended_rows', 'entries'])
    await clickhouse.command(dropPartition(table, partitionKey(volume, generation)))
}

/** Drops generations of a volume that no row names, left by interrupted commits. Requires the volume's lock. */
export async function dropUnknownGenerations({ db, clickhouse }: Stores, volumeId: number): Promise<void> {
  const found = await clickhouse.rows<{ generation: number }>(sql`
    SELECT DISTINCT toFloat64(extract(partition, ',(\\d+)\\)$')) AS generation FROM ${clickhouse.system.ofShards('parts')}
    WHERE database = currentDatabase() AND table IN ${['entries', 'ended_rows'].map(clickhouse.system.storedTable)} AND active
      AND startsWith(partition, ${`(${volumeId},`})`)
  const { rows: known } = await postgres<{ generation: number }>`
    SELECT unnest(layers || generation) AS generation FROM volumes WHERE id = ${volumeId} AND generation IS NOT NULL
    UNION SELECT generation FROM live_volumes WHERE volume_id = ${volumeId}
    UNION SELECT generation FROM replaced_generations WHERE volume_id = ${volumeId}`.execute(db)
  const named = new Set(known.map(({ generation }) => generation))
  for (const { generation } of found) if (!named.has(generation)) await dropGeneration(clickhouse, volumeId, generation)
}

/**
 * Removes versions that no committed scan closed, written by an interrupted commit. Requires the volume's lock. Those of imports after the committed scan begin
 * after it, too.
 */
export async function removeUnknownVersions(clickhouse: ClickHouse, volumeId: number, committed: number | null) {
  const left = sql`volume = ${volumeId} AND to_scan > ${committed ?? 0} AND from_scan <= ${committed ?? 0}`
  const { rows } = await clickhouse.one<{ rows: number }>(
    sql`SELECT toFloat64(count()) AS rows FROM entry_history WHERE ${left}`,
  )
  if (rows > 0) await clickhouse.command(removeRows('entry_history', left))
}

/** Drops generations, and versions of duplicates, that were replaced at least this many milliseconds ago. */
export async function dropReplacedGenerations({ db, clickhouse }: Stores, olderThanMs: number): Promise<void> {
  const replaced = await db
    .selectFrom('replacedGenerations')
    .select(['volumeId', 'generation'])
    .where('since', '<', postgres<Date>`now() - ${olderThanMs} * interval '1 millisecond'`)
    .execute()
  for (const { volumeId, generation } of replaced) {
    await dropGeneration(clickhouse, volumeId, generation)
    await db
      .deleteFrom('replacedGenerations')
      .where('volumeId', '=', volumeId)
      .where('generation', '=', generation)
      .execute()
  }
  await dropUnusedDuplicates({ db, clickhouse }, olderThanMs)
}
