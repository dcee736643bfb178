import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/**
 * Expression: the last known use of a file. It was created, changed or read then; reads count only where the storage records them. The creation
 * counts because copies and restores keep the time of the last change.
 */
export const lastUse = ({ unrecordedAccess }: Pick<Snapshot, 'unrecordedAccess'>): Sql =>
  sql`greatest(modified, created, if(volume IN ${typed(unrecordedAccess, 'Array(UInt32)')}, toDateTime(0, 'UTC'), accessed))`

/**
 * Condition: nobody used the file within days before the snapshot. Without a time of the last change, as some systems report 1970 or nothing,
 * nothing is known about its use, and the file is left alone.
 */
export const isUntouched = (snapshot: Pick<Snapshot, 'indexingDate' | 'unrecordedAccess'>, days: number): Sql =>
  sql`(modified > toDateTime(0, 'UTC') AND ${lastUse(snapshot)} < toDateTime(${snapshot.indexingDate}, 'UTC') - toIntervalDay(${days}))`
