import { sql } from 'kysely'
import type { Input } from '#events/contract/endpoint.ts'
import type { ActiveVolume, mostActiveVolumes } from '#events/storages.ts'
import { type Scope, showsStorage } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * The volumes of a date whose size differs most from that on their newest snapshot at least the given number of days
 * ago, or on their oldest one if none is that old. Leaves out unchanged volumes, and volumes that the scope shows in part.
 */
export async function listMostActive(
  db: Db,
  scope: Scope,
  { indexingDate, size, duration }: Input<typeof mostActiveVolumes>['query'],
): Promise<ActiveVolume[]> {
  const { rows } = await sql<ActiveVolume>`
    SELECT volumes.id, volumes.name, volumes.type, active.indexing_date, before.indexing_date AS previous_indexing_date,
      scans.bytes AS size_of_files, before.bytes AS previous_size_of_files, scans.bytes - before.bytes AS variation,
      (scans.bytes - before.bytes) * 100.0::float8 / nullif(before.bytes, 0) AS variation_percentage
    FROM snapshots AS active
    JOIN volumes ON volumes.id = active.volume_id
    JOIN scans ON scans.id = active.scan_id
    CROSS JOIN LATERAL (
      SELECT older.indexing_date, scans.bytes
      FROM snapshots AS older JOIN scans ON scans.id = older.scan_id
      CROSS JOIN LATERAL (SELECT older.indexing_date <= active.indexing_date - ${duration}::integer AS is_old) AS age
      WHERE older.volume_id = active.volume_id AND older.indexing_date < active.indexing_date
      ORDER BY age.is_old DESC, CASE WHEN age.is_old THEN older.indexing_date END DESC, older.indexing_date
      LIMIT 1) AS before
    WHERE active.indexing_date = (SELECT max(indexing_date) FROM snapshots
        WHERE indexing_date <= coalesce(${indexingDate ?? null}::date, 'infinity'))
      AND scans.bytes != before.bytes AND ${showsStorage(scope, sql`volumes.id`)}
    ORDER BY abs(scans.bytes - before.bytes) DESC, volumes.id
    LIMIT ${size}`.execute(db)
  return rows
}
