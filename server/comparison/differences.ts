import { childrenOf } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/sql.ts'
import { entriesAt } from '#server/snapshots/index.ts'
import type { Compared, Rescanned } from './comparedVolumes.ts'
import { countMoves, type Moved, movesBetween } from './movesBetween.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

/** What a change of an entry is: having been read is none, nor is what its hard links elsewhere do. */
const content = sql`sipHash64(size, files, folders, owner, \`group\`, mode, link_target, created, modified, etag,
  storage_class, backup_date, metadata)`
const key = sql`volume, parent_path, name, is_directory`

/**
 * What differs below a folder between two snapshots, each entry once, to stand in a FROM: its key on the later date, or on
 * the earlier one if it is gone; whether it `is_here`, `was_here`, and where; its sizes, and what it adds to the folder.
 */
export async function differences(clickhouse: ClickHouse, compared: Compared, folder: string): Promise<Sql> {
  const within = childrenOf(folder)
  const moved = await countMoves(clickhouse, compared.rescanned, within)
  const isWithin = sql`startsWith(parent_path, ${within})`
  const parts = [
    ...(compared.rescanned.length > 0 ? [changed(compared.rescanned, moved, isWithin)] : []),
    ...(compared.came.volumes.length > 0 ? [sql`${came} FROM ${entriesAt(compared.came)} WHERE ${isWithin}`] : []),
    ...(compared.left.volumes.length > 0 ? [sql`${left} FROM ${entriesAt(compared.left)} WHERE ${isWithin}`] : []),
  ]
  const all = parts.length > 0 ? join(parts, ' UNION ALL ') : sql`${came} FROM entries WHERE 0`
  const counts = sql`
    is_here AND startsWith(parent_path, ${within}) AS counts_now,
    was_here AND startsWith(old_path, ${within}) AS counted_before`
  return sql`(
    SELECT *, ${counts}, sipHash64(toUInt32(volume), parent_path, name, is_directory) AS file_id,
      if(counts_now, greatest(size, 0), 0) - if(counted_before, greatest(old_size, 0), 0) AS growth,
      if((counts_now AND size < 0) OR (counted_before AND old_size < 0), NULL, growth) AS delta
    FROM (${all})
    WHERE parent_path != '' AND (counts_now OR counted_before))`
}

const came = sql`
  SELECT ${key}, true AS is_here, false AS was_here, size, toInt64(0) AS old_size, '' AS old_path, 'CREATED' AS kind`
const left = sql`
  SELECT ${key}, false AS is_here, true AS was_here, toInt64(0) AS size, size AS old_size,
    concat(parent_path, name) AS old_path, 'REMOVED' AS kind`

/** Where nothing was moved, only the folder itself is read; else what is within it may have come from anywhere. */
function changed(volumes: Rescanned[], moved: Moved, isWithin: Sql): Sql {
  const where = moved.moves > 0 ? sql`1` : isWithin
  return sql`
    SELECT if(n.here, n.volume, o.volume) AS volume, if(n.here, n.parent_path, o.parent_path) AS parent_path,
      if(n.here, n.name, o.name) AS name, if(n.here, n.is_directory, o.is_directory) AS is_directory,
      n.here AS is_here, o.here AS was_here, n.size AS size, o.size AS old_size, o.path AS old_path,
      multiIf(
        NOT o.here, 'CREATED',
        NOT n.here, if(o.ending = 'no longer indexed', 'NO_LONGER_INDEXED', 'REMOVED'),
        o.path != concat(n.parent_path, n.name), 'MOVED',
        n.content != o.content, 'CHANGED', '') AS kind
    FROM (SELECT true AS here, * FROM (${begunBetween(volumes, sql`${key}, size, ${content} AS content`, where)})) AS n
    FULL JOIN (${moved.moves > 0 ? withMoves(volumes, moved) : before(volumes, where)}) AS o
      ON n.volume = o.volume AND n.parent_path = o.parent_path AND n.name = o.name AND n.is_directory = o.is_directory
    WHERE kind != ''`
}

/** The versions of the earlier date that ended, and how their entry first lost its path. */
const before = (volumes: Rescanned[], where: Sql): Sql => sql`
  SELECT true AS here, ${key}, version.1 AS size, version.2 AS content, concat(parent_path, name) AS path, ending
  FROM (
    SELECT ${key}, max(is_before) AS was_here, anyIf((size, content), is_before) AS version,
      argMinIf(toString(ended), to_scan, ended != 'changed') AS ending
    FROM (
      SELECT ${key}, to_scan, ended, size, ${content} AS content, ${isBefore(volumes)} AS is_before
      FROM entry_history WHERE ${endedBetween(volumes)} AND ${where})
    GROUP BY ${key})
  WHERE was_here`

/** The same, each that was moved under the key it has on the later date. */
const withMoves = (volumes: Rescanned[], moved: Moved): Sql => sql`
  SELECT b.here AS here, b.volume AS volume, b.is_directory AS is_directory,
    if(m.arrived, m.to_parent_path, b.parent_path) AS parent_path, if(m.arrived, m.to_name, b.name) AS name,
    b.size AS size, b.content AS content, b.path AS path, if(m.ending != '', m.ending, b.ending) AS ending
  FROM (${before(volumes, sql`1`)}) AS b
  LEFT ANY JOIN ${movesBetween(volumes, moved)} AS m
    ON b.volume = m.volume AND b.is_directory = m.is_directory AND b.parent_path = m.from_parent_path
      AND b.name = m.from_name`
