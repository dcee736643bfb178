import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { buckets } from '#server/content/snapshots/commit/countStatistics.ts'
import { join, sql, text } from '#server/platform/clickhouse/sql.ts'
import { type FilledVolume, scansOf } from './versions.ts'

/**
 * Counts the files of each scan before the newest, which is counted already: subtracts files that were added later, and
 * adds files that ended later.
 */
export async function fillOlderStatistics(clickhouse: ClickHouse, volume: FilledVolume): Promise<void> {
  const last = volume.scans.at(-1) ?? 0
  const older = sql`arrayJoin(arrayPopBack(${scansOf(volume)}))`
  const counted = (dimension: string, bucket: string, sign: 1 | -1) =>
    text(
      `toString('${dimension}') AS dimension, ${bucket} AS bucket, ${sign} * toInt64(count()) AS files, ${sign} * sum(size) AS bytes`,
    )
  const changes = buckets().flatMap(([dimension, bucket]) => [
    sql`SELECT ${older} AS scan, ${counted(dimension, bucket, -1)} FROM entries
      WHERE volume = ${volume.id} AND generation = ${volume.generation} AND NOT is_directory AND from_scan > scan
      GROUP BY scan, bucket`,
    sql`SELECT ${older} AS scan, ${counted(dimension, bucket, 1)} FROM entry_history
      WHERE volume = ${volume.id} AND NOT is_directory AND from_scan <= scan AND to_scan > scan GROUP BY scan, bucket`,
  ])
  await insertFrom(
    clickhouse,
    'volume_statistics',
    sql`
      SELECT ${volume.id}, scan, dimension, bucket, sum(files) AS n, sum(bytes)
      FROM (
        SELECT ${older} AS scan, toString(dimension) AS dimension, bucket, toInt64(files) AS files, toInt64(bytes) AS bytes
        FROM volume_statistics WHERE volume = ${volume.id} AND volume_statistics.scan = ${last}
        UNION ALL ${join(changes, ' UNION ALL ')})
      GROUP BY scan, dimension, bucket HAVING n > 0`,
    'volume, scan, dimension, bucket, files, bytes',
  )
}
