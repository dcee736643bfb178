import { sql } from 'kysely'
import type { StorageTrend, storageTrends } from '#events/dashboard.ts'
import type { Input } from '#events/contract/endpoint.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { periodStart } from '#server/content/snapshots/reading/periodStart.ts'
import { shownDisk } from '#server/content/snapshots/reading/shownVolume.ts'

/**
 * The storages of a date, each with its figures over a period up to that date; from the counts of scans.
 */
export async function readTrends(
  db: Db,
  { indexingDate, days }: Input<typeof storageTrends>['query'],
): Promise<StorageTrend[]> {
  const { rows } = await sql<StorageTrend>`
    WITH active AS (SELECT max(indexing_date) AS day FROM snapshots
      WHERE indexing_date <= coalesce(${indexingDate ?? null}::date, 'infinity'))
    SELECT snapshots.volume_id, json_agg(json_build_object('indexingDate', snapshots.indexing_date,
        'used', disk_used, 'sizeOfFiles', scans.bytes) ORDER BY snapshots.indexing_date) AS points
    FROM active
    JOIN volumes ON true
    JOIN snapshots ON snapshots.volume_id = volumes.id
      AND snapshots.indexing_date BETWEEN ${periodStart(sql`active.day`, days, sql`volumes.id`)} AND active.day
    JOIN scans ON scans.id = snapshots.scan_id
    JOIN ${shownDisk} ON true
    WHERE EXISTS (SELECT FROM snapshots AS shown
      WHERE shown.indexing_date = active.day AND shown.volume_id = snapshots.volume_id)
    GROUP BY snapshots.volume_id ORDER BY snapshots.volume_id`.execute(db)
  return rows
}
