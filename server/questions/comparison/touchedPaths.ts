import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { RescannedVolume } from './comparedVolumes.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

export const key = sql`volume, parent_path, name, is_directory`

/** Attributes whose change makes an entry changed: not its access time, nor the effects of hard links elsewhere. */
const content = sql`cityHash64(size, files, folders, owner, \`group\`, mode, link_target, created, modified, etag,
  storage_class, backup_date, metadata)`

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
      sql`${key}, size AS bytes, ${content} AS held, true AS is_after, false AS is_before, '' AS ended, '' AS moved,
        toUInt64(0) AS at_scan`,
      where,
    )}
    UNION ALL
    SELECT ${key}, size AS bytes, ${content} AS held, false AS is_after, ${isBefore(volumes)} AS is_before,
      toString(ended) AS ended, moved_to AS moved, to_scan AS at_scan
    FROM entry_history WHERE ${endedBetween(volumes)} AND ${where})
  GROUP BY ${key}
  HAVING is_here OR was_here
  SETTINGS max_bytes_before_external_group_by = 268435456`
