import { type RawBuilder, sql } from 'kysely'

/**
 * SQL of the date at which a period of days up to `day` starts, as for every growth that is shown: the newest snapshot
 * at least `days` days before, of one storage or of all, else the oldest one.
 */
export const periodStart = (day: RawBuilder<string>, days: number, volumeId?: RawBuilder<number>): RawBuilder<string> =>
  sql`coalesce((SELECT max(indexing_date) FROM snapshots
    WHERE indexing_date <= ${day} - ${days}::integer AND ${volumeId ? sql`volume_id = ${volumeId}` : sql`true`}), '-infinity')`
