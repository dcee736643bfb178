import { timeZone } from '#server/platform/days.ts'
import { join, sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Commit } from './commit.ts'
import { isInPartitions } from '#server/snapshots/reading/entriesAt.ts'

/**
 * Dimensions of the file counts. Days are in the server's time zone. Unknown values count in the bucket ''; a file with
 * unreadable attributes is in that bucket of each dimension.
 */
const day = (column: string, unknown: string): Bucket => [
  `if(${unknown}, -1, toInt32(toDate(${column}, '${timeZone()}')))`,
  (key) => `if(${key} < 0, '', toString(toDate(${key})))`,
]
const noMoment = (column: string) => `toUnixTimestamp(${column}) = 0`
const itself = (column: string): Bucket => [column, (key) => key]
/** Keys are numbers where possible: a text for each file costs half as much again. */
type Bucket = [key: string, text: (key: string) => string]
const counted = () =>
  ({
    SIZE: [
      'multiIf(size < 0, -2, size = 0, -1, toInt8(floor(log2(size))))',
      (key) =>
        `multiIf(${key} = -2, '', ${key} = -1, '0', toString(bitShiftLeft(toUInt64(1), toUInt8(greatest(${key}, 0)))))`,
    ],
    MODIFIED_DATE: day('modified', `size < 0 AND ${noMoment('modified')}`),
    ACCESS_DATE: day('accessed', `size < 0 AND ${noMoment('accessed')}`),
    CREATION_DATE: day('created', noMoment('created')),
    EXTENSION: itself('extension'),
    OWNER: itself('owner'),
    GROUP: itself('`group`'),
    STORAGE_CLASS: itself('storage_class'),
    BACKUP_DATE: day('backup_date', noMoment('backup_date')),
  }) satisfies Record<string, Bucket>

/** Each dimension, with the bucket of a file as it is stored. */
export const buckets = (): [dimension: string, bucket: string][] =>
  Object.entries(counted()).map(([dimension, [key, inWords]]) => [dimension, inWords(key)])

/** Counts the files of the scan by each dimension. If nothing changed, keeps the last counts. */
export async function countStatistics(commit: Commit, changed: boolean): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  await removeLeftovers(commit)
  if (!changed)
    return clickhouse.command(sql`
      INSERT INTO volume_statistics
      SELECT volume, ${scan.id}, dimension, bucket, files, bytes FROM volume_statistics
      WHERE volume = ${volume.id} AND scan = ${volume.committedScan}`)
  const counts = Object.entries(counted()).map(
    ([dimension, [key, inWords]]) => sql`
      SELECT ${dimension} AS dimension, ${text(inWords('key'))} AS bucket, files, bytes
      FROM (
        SELECT ${text(key)} AS key, count() AS files, toUInt64(least(sum(toInt128(greatest(counted_size, 0))), toInt128(9223372036854775807))) AS bytes
        FROM entries WHERE ${isInPartitions([{ volumeId: volume.id, generation }])} AND NOT is_directory GROUP BY key)`,
  )
  await clickhouse.command(sql`
    INSERT INTO volume_statistics
    SELECT ${volume.id}, ${scan.id}, dimension, bucket, files, bytes FROM (${join(counts, ' UNION ALL ')})`)
}

async function removeLeftovers({ clickhouse, scan, volume }: Commit): Promise<void> {
  const left = sql`volume = ${volume.id} AND scan = ${scan.id}`
  const { rows } = await clickhouse.one<{ rows: number }>(
    sql`SELECT toFloat64(count()) AS rows FROM volume_statistics WHERE ${left}`,
  )
  if (rows > 0)
    await clickhouse.command(sql`ALTER TABLE volume_statistics DELETE WHERE ${left} SETTINGS mutations_sync = 2`)
}
