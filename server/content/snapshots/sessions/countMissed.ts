import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { isInPartitions, partitionId, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'

/**
 * Number of entries in which a scan differs from the live state of its volume: files by size and date of change, folders by their existence. Without
 * those that changed after the scan began. `table` has the differences of the scan from the volume's committed state. Undefined if the volume
 * has no live state.
 */
export async function countMissed(
  { db, clickhouse }: Stores,
  { scanId, known, table }: { scanId: number; known: ReadGenerations; table: Sql },
): Promise<{ scanId: number; entries: number } | undefined> {
  const live = await db
    .selectFrom('liveVolumes')
    .innerJoin('volumes', 'volumes.id', 'liveVolumes.volumeId')
    .innerJoin('scans', (join) => join.on('scans.id', '=', scanId))
    .select(['liveVolumes.generation', 'flush', 'startedAt'])
    .where('liveVolumes.volumeId', '=', known.volumeId)
    .where('flush', '>', 0)
    .whereRef('baseScan', '=', 'volumes.committedScan')
    .executeTakeFirst()
  if (!live) return undefined
  const { generation, flush } = live
  const began = Math.floor((live.startedAt?.getTime() ?? Date.now()) / 1_000)
  const own = partitionId(known.volumeId, generation)
  const ended = sql`(SELECT row_id FROM ended_rows WHERE _partition_id = ${own} AND flush <= ${flush})`
  const isShown = isInPartitions([{ ...known, live: { generation, flush } }])
  const changed = sql`(SELECT o_row_id FROM ${table} WHERE o_here)`
  const columns = sql`parent_path, name, is_directory, if(is_directory, 0, size) AS bytes, if(is_directory, 0, toUnixTimestamp(modified)) AS date`
  const scanned = sql`
    SELECT parent_path, name, is_directory, if(is_directory, 0, n_size) AS bytes, if(is_directory, 0, toUnixTimestamp(n_modified)) AS date, 0 AS isLive
    FROM ${table} WHERE n_here
    UNION ALL
    SELECT ${columns}, 0 FROM entries WHERE ${isInPartitions([known])} AND row_id IN ${ended} AND row_id NOT IN ${changed}`
  const followed = sql`
    SELECT ${columns}, 1 FROM entries WHERE ${isShown} AND (_partition_id = ${own} OR row_id IN ${changed})`
  const { entries } = await clickhouse.one<{ entries: number }>(sql`
    SELECT toFloat64(count()) AS entries FROM (
      SELECT parent_path, name, is_directory FROM (${scanned} UNION ALL ${followed})
      GROUP BY parent_path, name, is_directory
      HAVING (uniqExact(isLive) = 1 OR uniqExact((bytes, date)) > 1) AND maxIf(date, isLive = 1) < ${began})`)
  return { scanId, entries }
}
