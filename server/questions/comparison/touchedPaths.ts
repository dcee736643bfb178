import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { RescannedVolume } from './comparedVolumes.ts'
import { foldersAboveAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { begunBetween, endedBetween, isBefore, isSeenNow, partialOn } from './versions.ts'

export const key = sql`volume, parent_path, name, is_directory`

/** Attributes whose change makes an entry changed: not its access time, nor the effects of hard links elsewhere. */
const content = sql`cityHash64(size, files, folders, owner, \`group\`, mode, link_target, created, modified, etag,
  storage_class, backup_date, metadata)`

const notEnded = sql`'' AS ended, '' AS moved, toUInt64(0) AS at_scan`

/** Condition: a version of the later date is part of the earlier one, too. Only read where the visible folders differ. */
const isKept = (volumes: RescannedVolume[]): Sql =>
  volumes.some(({ differs }) => differs) ? isBefore(volumes) : sql`false`

/** The folders above the visible ones on both dates, whose totals are counted. */
function foldersAbove(volumes: RescannedVolume[], where: Sql): Sql {
  const sides = [
    { side: { volumes, partial: partialOn(volumes, 'seen') }, isNow: true },
    {
      side: {
        volumes: volumes.map((volume) => ({ ...volume, scanId: volume.previousScan })),
        partial: partialOn(volumes, 'seenBefore'),
      },
      isNow: false,
    },
  ]
  return join(
    sides
      .filter(({ side }) => side.partial.size > 0)
      .map(
        ({ side, isNow }) => sql`UNION ALL
          SELECT ${key}, size AS bytes, ${content} AS held, ${isNow} AS is_after, ${!isNow} AS is_before, ${notEnded}
          FROM ${foldersAboveAt(side)} WHERE ${where}`,
      ),
    ' ',
  )
}

/**
 * Each path of either date where something began or ended between the dates: its sizes and contents on both, and how
 * the earlier date's entry first lost the path, if it did: by which `ending`, in which scan, and `moved_to` where.
 */
export const touchedPaths = (volumes: RescannedVolume[], where: Sql): Sql => sql`
  SELECT ${key}, max(is_after) AS is_here, max(is_before) AS was_here,
    anyIf(bytes, is_after) AS size, anyIf(bytes, is_before) AS old_size,
    anyIf(held, is_after) AS content, anyIf(held, is_before) AS old_content,
    argMinIf((ended, moved, at_scan), at_scan, at_scan > 0 AND ended != 'changed') AS first,
    first.1 AS ending, first.2 AS moved_to, first.3 AS ended_at
  FROM (
    ${begunBetween(
      volumes,
      sql`${key}, size AS bytes, ${content} AS held, ${isSeenNow(volumes)} AS is_after, ${isKept(volumes)} AS is_before,
        ${notEnded}`,
      where,
    )}
    UNION ALL
    SELECT ${key}, size AS bytes, ${content} AS held, false AS is_after, ${isBefore(volumes)} AS is_before,
      toString(ended) AS ended, moved_to AS moved, to_scan AS at_scan
    FROM entry_history WHERE ${endedBetween(volumes)} AND ${where}
    ${foldersAbove(volumes, where)})
  GROUP BY ${key}
  HAVING is_here OR was_here
  SETTINGS max_bytes_before_external_group_by = 268435456`
