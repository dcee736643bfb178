import { sql as postgres } from 'kysely'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { scanOf } from '#server/content/snapshots/reading/perVolume.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/**
 * Expression: the last known use of a file. It was created, changed or read then; reads count only where the storage records them. The creation
 * counts because copies and restores keep the time of the last change.
 */
export const lastUse = ({ unrecordedAccess }: Pick<Snapshot, 'unrecordedAccess'>): Sql =>
  sql`greatest(modified, created, if(volume IN ${typed(unrecordedAccess, 'Array(UInt32)')}, toDateTime(0, 'UTC'), accessed))`

/**
 * Condition: no one used the file within days before the snapshot. Without a time of the last change, as some systems report 1970 or nothing,
 * nothing is known about its use, and the file is left alone. Where its creation isn't recorded, it must have been there that long, or since the
 * first scan: a copy keeps the time of the last change. `seenBefore` has the newest scan of each storage from before these days, or else its first.
 */
export const isUntouched = (
  snapshot: Pick<Snapshot, 'indexingDate' | 'unrecordedAccess'>,
  days: number,
  seenBefore: readonly { volumeId: number; scanId: number }[],
): Sql =>
  sql`(modified > toDateTime(0, 'UTC') AND (created > toDateTime(0, 'UTC') OR from_scan <= ${scanOf(seenBefore, ({ scanId }) => scanId)}) AND ${lastUse(snapshot)} < toDateTime(${snapshot.indexingDate}, 'UTC') - toIntervalDay(${days}))`

/** The newest scan of each storage from before some days before a snapshot, or the first one. */
export async function scansBefore(
  db: Db,
  { indexingDate, volumes }: Pick<Snapshot, 'indexingDate' | 'volumes'>,
  days: number,
): Promise<{ volumeId: number; scanId: number }[]> {
  if (volumes.length === 0) return []
  const { rows } = await postgres<{ volumeId: number; scanId: number }>`
    SELECT volume_id AS "volumeId", coalesce(max(scan_id) FILTER (WHERE indexing_date < ${indexingDate}::date - ${days}::integer), min(scan_id)) AS "scanId"
    FROM snapshots WHERE volume_id = ANY(${volumes.map(({ volumeId }) => volumeId)})
      AND scan_id NOT IN (SELECT id FROM scans WHERE state = 'imported') GROUP BY volume_id`.execute(db)
  return rows
}
