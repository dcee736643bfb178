import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { endedWithin, scanOf } from '#server/content/snapshots/reading/perVolume.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import { isInPartitions } from '#server/content/snapshots/reading/entriesAt.ts'
import type { RescannedVolume } from './comparedVolumes.ts'

const earlier = ({ previousScan }: RescannedVolume): number => previousScan
const later = ({ scanId }: RescannedVolume): number => scanId

type Side = 'seen' | 'seenBefore' | 'seenEver'

/** The visible folders on one of the dates, of the volumes that are visible only in part. */
export const partialOn = (volumes: readonly RescannedVolume[], side: Side): Snapshot['partial'] =>
  new Map(volumes.flatMap(({ volumeId, [side]: folders }) => (folders ? [[volumeId, folders] as const] : [])))

const isSeenOn = (volumes: readonly RescannedVolume[], side: Side): Sql | undefined =>
  withinScope({ volumes, partial: partialOn(volumes, side) })

const isSeenOnAny = (volumes: readonly RescannedVolume[]): Sql | undefined =>
  isSeenOn(volumes, volumes.some(({ differs }) => differs) ? 'seenEver' : 'seen')

/** Condition: the caller sees a version of the later date. */
export const isSeenNow = (volumes: readonly RescannedVolume[]): Sql => isSeenOn(volumes, 'seen') ?? sql`true`

/**
 * Versions in the later date and not in the earlier one. Only these and those of `endedBetween` are read; unchanged
 * entries cost nothing.
 */
export function begunBetween(volumes: RescannedVolume[], columns: Sql, where: Sql = sql`1`): Sql {
  const after = (volume: RescannedVolume) => (volume.differs ? 0 : earlier(volume))
  const isSeen = isSeenOnAny(volumes)
  const within = isSeen ? sql`AND ${isSeen}` : sql``
  const begun = sql`from_scan > ${scanOf(volumes, after)} AND from_scan <= ${scanOf(volumes, later)} ${within}`
  const old = volumes.filter(({ scanId, committedScan }) => scanId < committedScan)
  const since = endedWithin(old, later, ({ committedScan }) => committedScan)
  return sql`
    SELECT ${columns} FROM entries WHERE ${where} AND ${isInPartitions(volumes)} AND ${begun}
    UNION ALL
    SELECT ${columns} FROM entry_history WHERE ${where} AND ${begun} AND ${since}`
}

/** The versions in `entry_history` that ended after the earlier date and not after the later one, at a place visible on a date or between. */
export function endedBetween(volumes: RescannedVolume[]): Sql {
  const within = isSeenOnAny(volumes)
  const ended = endedWithin(volumes, earlier, later)
  return within ? sql`(${ended} AND ${within})` : ended
}

/** Condition: the version is part of the earlier date, and visible there. */
export function isBefore(volumes: RescannedVolume[]): Sql {
  const wasSeen = isSeenOn(volumes, 'seenBefore')
  return sql`(from_scan <= ${scanOf(volumes, earlier)} ${wasSeen ? sql`AND ${wasSeen}` : sql``})`
}
