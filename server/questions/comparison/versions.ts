import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { endedWithin, scanOf } from '#server/content/snapshots/reading/perVolume.ts'
import { isInPartitions } from '#server/content/snapshots/reading/entriesAt.ts'
import type { RescannedVolume } from './comparedVolumes.ts'

const earlier = ({ previousScan }: RescannedVolume): number => previousScan
const later = ({ scanId }: RescannedVolume): number => scanId

/**
 * Versions in the later date and not in the earlier one. Only these and those of `endedBetween` are read; unchanged
 * entries cost nothing.
 */
export function begunBetween(volumes: RescannedVolume[], columns: Sql, where: Sql = sql`1`): Sql {
  const begun = sql`from_scan > ${scanOf(volumes, earlier)} AND from_scan <= ${scanOf(volumes, later)}`
  const old = volumes.filter(({ scanId, committedScan }) => scanId < committedScan)
  const since = endedWithin(old, later, ({ committedScan }) => committedScan)
  return sql`
    SELECT ${columns} FROM entries WHERE ${where} AND ${isInPartitions(volumes)} AND ${begun}
    UNION ALL
    SELECT ${columns} FROM entry_history WHERE ${where} AND ${begun} AND ${since}`
}

/** The versions in `entry_history` that ended after the earlier date and not after the later one. */
export const endedBetween = (volumes: RescannedVolume[]): Sql => endedWithin(volumes, earlier, later)

/** Condition: the version is part of the earlier date. */
export const isBefore = (volumes: RescannedVolume[]): Sql => sql`(from_scan <= ${scanOf(volumes, earlier)})`
