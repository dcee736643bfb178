import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/index.ts'

/** How many files a volume has, and their bytes. */
type FilesOfVolume = { volumeId: number; count: number; size: number }

/**
 * The files of a snapshot whose day of this kind lies before `day`, by volume, from what the commits counted: what
 * counting the entries gives, in a few rows. Volumes without such files are left out; `among` leaves out others. Nothing
 * is answered for days that the counts do not tell apart: the first of all, which in some time zones is two.
 */
export async function filesBefore(
  clickhouse: ClickHouse,
  { volumes }: Pick<Snapshot, 'volumes'>,
  dimension: 'ACCESS_DATE' | 'MODIFIED_DATE' | 'CREATION_DATE' | 'BACKUP_DATE',
  day: string,
  among?: readonly number[],
): Promise<FilesOfVolume[] | undefined> {
  if (day <= '1970-01-01') return undefined
  const asked = volumes.filter(({ volumeId }) => among === undefined || among.includes(volumeId))
  if (asked.length === 0) return []
  const ofVolumes = sql`volume IN ${asked.map(({ volumeId }) => volumeId)}`
  const ofScans = sql`scan IN ${asked.map(({ scanId }) => scanId)}`
  return clickhouse.rows<FilesOfVolume>(sql`
    SELECT volume AS volumeId, sum(files) AS count, sum(bytes) AS size FROM volume_statistics
    WHERE ${ofVolumes} AND ${ofScans} AND dimension = ${dimension} AND bucket != '' AND bucket < ${day}
    GROUP BY volume ORDER BY volume`)
}
