import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/** Number of files of a volume, their bytes, and those that costs are for. */
type FilesOfVolume = { volumeId: number; count: number; size: number; billed: number }

/**
 * The files of a snapshot whose day of this kind is before `day`, by volume, from the counts of commits: the same
 * result as counting entries, from few rows. Leaves out volumes without such files; `among` limits them. Undefined for
 * days that the counts don't distinguish: the very first one, which is two days in some time zones.
 */
export async function filesBefore(
  clickhouse: ClickHouse,
  { volumes, unrecordedAccess, apparentVolumes }: Pick<Snapshot, 'volumes' | 'unrecordedAccess' | 'apparentVolumes'>,
  dimension: 'ACCESS_DATE' | 'MODIFIED_DATE' | 'CREATION_DATE' | 'BACKUP_DATE',
  day: string,
  among?: readonly number[],
): Promise<FilesOfVolume[] | undefined> {
  if (day <= '1970-01-01') return undefined
  const isMeant = (id: number) => among === undefined || among.includes(id)
  const isRecorded = (id: number) => dimension !== 'ACCESS_DATE' || !unrecordedAccess.includes(id)
  const requested = volumes.filter(({ volumeId }) => isMeant(volumeId) && isRecorded(volumeId))
  if (requested.length === 0) return []
  const ofVolumes = sql`volume IN ${requested.map(({ volumeId }) => volumeId)}`
  const ofScans = sql`scan IN ${requested.map(({ scanId }) => scanId)}`
  // Earlier versions counted no bytes on disk.
  const onDisk = sql`if(on_disk < 0, toInt64(bytes), on_disk)`
  const billed =
    apparentVolumes.length === 0 ? onDisk : sql`if(volume IN ${apparentVolumes}, toInt64(bytes), ${onDisk})`
  return clickhouse.rows<FilesOfVolume>(sql`
    SELECT volume AS volumeId, sum(files) AS count, sum(toFloat64(bytes)) AS size,
      sum(toFloat64(${billed})) AS billed FROM volume_statistics
    WHERE ${ofVolumes} AND ${ofScans} AND dimension = ${dimension} AND bucket != '' AND bucket < ${day}
    GROUP BY volume ORDER BY volume`)
}
