import { sql } from 'kysely'
import type { StorageTrend } from '#events/dashboard.ts'
import { type Scope, showsStorage } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { periodStart } from '#server/content/snapshots/reading/periodStart.ts'
import { shownDisk } from '#server/content/snapshots/reading/shownVolume.ts'

type Period = {
  /** Only storages that it shows as a whole. */
  scope: Scope
  /** Last day, or the newest snapshot. */
  indexingDate: string | undefined
  days: number
}

/**
 * The storages of a date, each with its figures from the newest snapshot at least `days` before it on; from the counts of
 * scans. Days whose snapshot only repeats an older scan are left out.
 */
export async function readTrends(db: Db, { scope, indexingDate, days }: Period): Promise<StorageTrend[]> {
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
    JOIN ${shownDisk(scope)} ON true
    WHERE ${showsStorage(scope, sql`volumes.id`)} AND disk_day = snapshots.indexing_date AND EXISTS (SELECT FROM snapshots AS shown
      WHERE shown.indexing_date = active.day AND shown.volume_id = snapshots.volume_id)
    GROUP BY snapshots.volume_id ORDER BY snapshots.volume_id`.execute(db)
  return rows
}
