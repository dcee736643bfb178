import { given } from '#server/content/entries/conditions.ts'
import { all, join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { apart, type ComparedSnapshots } from './comparedVolumes.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

/** A part of a growth by owner or extension. */
export type GrowthPart = { owner?: string | undefined; extension?: string | undefined }

/**
 * Condition on differences: the entry has this owner or extension on one of the dates. Only versions that began or ended between the
 * dates are read.
 */
export function isOfPart(compared: ComparedSnapshots, { owner, extension }: GrowthPart): Sql {
  const { rescanned, came, left } = apart(compared)
  const isMeant = all([
    ...given(owner, (owner) => sql`owner = ${owner}`),
    ...given(extension, (extension) => sql`extension = ${extension}`),
  ])
  const place = sql`volume, is_directory, concat(parent_path, name) AS path`
  const places = [
    ...(rescanned.length > 0
      ? [
          begunBetween(rescanned, place, isMeant),
          sql`SELECT ${place} FROM entry_history WHERE ${endedBetween(rescanned)} AND ${isBefore(rescanned)} AND ${isMeant}`,
        ]
      : []),
    ...[came, left]
      .filter(({ volumes }) => volumes.length > 0)
      .map((snapshot) => sql`SELECT ${place} FROM ${entriesAt(snapshot)} WHERE ${isMeant}`),
  ]
  if (places.length === 0) return sql`0`
  const touched = sql`(${join(places, ' UNION ALL ')})`
  return sql`(
    (volume, is_directory, concat(parent_path, name)) IN ${touched} OR (volume, is_directory, old_path) IN ${touched})`
}
