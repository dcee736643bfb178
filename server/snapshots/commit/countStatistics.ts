import { join, sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Commit } from './commit.ts'

/**
 * What files are counted by. A day is one of the server's time zone; the bucket of what is not known is '', also of all of a
 * file whose attributes could not be read.
 */
const day = (column: string) => `toString(toDate(${column}, '${Intl.DateTimeFormat().resolvedOptions().timeZone}'))`
export const buckets: readonly [dimension: string, bucket: string][] = [
  ['SIZE', `multiIf(size < 0, '', size = 0, '0', toString(bitShiftLeft(toUInt64(1), toUInt8(floor(log2(size))))))`],
  ['MODIFIED_DATE', `if(size < 0 AND toUnixTimestamp(modified) = 0, '', ${day('modified')})`],
  ['ACCESS_DATE', `if(size < 0 AND toUnixTimestamp(accessed) = 0, '', ${day('accessed')})`],
  ['CREATION_DATE', `if(toUnixTimestamp(created) = 0, '', ${day('created')})`],
  ['EXTENSION', 'extension'],
  ['OWNER', 'owner'],
  ['GROUP', '`group`'],
  ['STORAGE_CLASS', 'storage_class'],
  ['BACKUP_DATE', `if(toUnixTimestamp(backup_date) = 0, '', ${day('backup_date')})`],
]

/** Counts the files of the scan by each dimension; when nothing changed, what was counted last holds for it too. */
export async function countStatistics(commit: Commit, changed: boolean): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  await removeLeftovers(commit)
  if (!changed)
    return clickhouse.command(sql`
      INSERT INTO volume_statistics
      SELECT volume, ${scan.id}, dimension, bucket, files, bytes FROM volume_statistics
      WHERE volume = ${volume.id} AND scan = ${volume.committedScan}`)
  const counts = buckets.map(
    ([dimension, bucket]) => sql`
      SELECT ${dimension} AS dimension, ${text(bucket)} AS bucket, count() AS files, sum(greatest(size, 0)) AS bytes
      FROM entries WHERE volume = ${volume.id} AND generation = ${generation} AND NOT is_directory GROUP BY bucket`,
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
