import { sql } from 'kysely'
import { daysBefore } from '#events/contract/days.ts'
import { forecastDays, type Measurement } from '#events/overview/forecast.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Key of the disk of a storage: storages on the same file system share it. */
export const diskKey = ({ fileSystem, volumeId }: { fileSystem: string | null; volumeId: number }): string =>
  fileSystem ?? `volume ${volumeId}`

/**
 * Used bytes of the disks by day, oldest first, from the scans of the days up to a date. A day without a scan has none: its
 * snapshot only repeats an older one, which would flatten the trend. Of several scans of a disk on a day the last counts.
 */
export async function readMeasurements(db: Db, indexingDate: string): Promise<Map<string, Measurement[]>> {
  const { rows } = await sql<{ volumeId: number; fileSystem: string | null; day: string; used: number }>`
    SELECT DISTINCT ON (disk, day) coalesce(file_system, 'volume ' || snapshots.volume_id) AS disk,
      snapshots.volume_id, file_system, scans.indexing_date AS day, capacity_used AS used
    FROM snapshots JOIN scans ON scans.id = snapshots.scan_id AND scans.indexing_date = snapshots.indexing_date
    WHERE snapshots.indexing_date BETWEEN ${daysBefore(indexingDate, forecastDays)} AND ${indexingDate}
      AND capacity_used IS NOT NULL
    ORDER BY disk, day, scans.id DESC`.execute(db)
  return Map.groupBy(rows, diskKey)
}
