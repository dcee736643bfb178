import { childrenOf } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { acrossImports } from './acrossImports.ts'
import type { ComparedSnapshots, RescannedVolume } from './comparedVolumes.ts'
import { countMoves, type MoveCounts, withMoves } from './movesBetween.ts'
import { key, touchedPaths } from './touchedPaths.ts'

type Differences = { from: Sql; heavy: boolean }

/**
 * The differences below a folder between two snapshots, each entry once, for use in a FROM: its key on the later date,
 * or on the earlier one if it was removed; `is_here`, `was_here` and both places; its sizes and its growth.
 */
export async function differences(
  clickhouse: ClickHouse,
  compared: ComparedSnapshots,
  folder: string,
): Promise<Differences> {
  const within = childrenOf(folder)
  const [between, across] = [false, true].map((isAcross) =>
    compared.rescanned.filter((volume) => (volume.across !== undefined) === isAcross),
  ) as [RescannedVolume[], RescannedVolume[]]
  const moved = await countMoves(clickhouse, between, within)
  const isWithin = sql`startsWith(parent_path, ${within})`
  const parts = [
    ...(between.length > 0 ? [changed(between, moved, isWithin)] : []),
    ...(across.length > 0 ? [acrossImports({ ...compared, rescanned: across }, isWithin)] : []),
    ...(compared.came.volumes.length > 0 ? [sql`${came} FROM ${entriesAt(compared.came)} WHERE ${isWithin}`] : []),
    ...(compared.left.volumes.length > 0 ? [sql`${left} FROM ${entriesAt(compared.left)} AS e WHERE ${isWithin}`] : []),
  ]
  const all = parts.length > 0 ? join(parts, ' UNION ALL ') : sql`${came} FROM entries WHERE 0`
  const counts = sql`
    is_here AND startsWith(parent_path, ${within}) AS counts_now,
    was_here AND startsWith(old_path, ${within}) AS counted_before`
  const from = sql`(
    SELECT *, ${counts}, sipHash64(toUInt32(volume), parent_path, name, is_directory) AS file_id,
      if(counts_now, greatest(size, 0), 0) - if(counted_before, greatest(old_size, 0), 0) AS growth,
      if((counts_now AND size < 0) OR (counted_before AND old_size < 0), NULL, growth) AS delta
    FROM (${all})
    WHERE parent_path != '' AND (counts_now OR counted_before))`
  return { from, heavy: folder === '/' || moved.crossing > 0 || across.length > 0 }
}

const came = sql`
  SELECT ${key}, true AS is_here, false AS was_here, size, toInt64(0) AS old_size, '' AS old_path, 'CREATED' AS kind`
const left = sql`
  SELECT ${key}, false AS is_here, true AS was_here, toInt64(0) AS size, e.size AS old_size,
    concat(parent_path, name) AS old_path, 'REMOVED' AS kind`

/**
 * If nothing crossed the folder's border, only the folder is read; otherwise its entries may have come from anywhere.
 */
function changed(volumes: RescannedVolume[], moved: MoveCounts, isWithin: Sql): Sql {
  const where = moved.crossing > 0 ? sql`1` : isWithin
  const touched = moved.moves > 0 ? withMoves(volumes, moved, where) : inPlace(volumes, where)
  return sql`
    SELECT ${key}, is_here, was_here, size, old_size, old_path,
      multiIf(
        NOT was_here, 'CREATED',
        NOT is_here, if(ending = 'no longer indexed', 'NO_LONGER_INDEXED', 'REMOVED'),
        old_path != concat(parent_path, name), 'MOVED',
        content != old_content, 'CHANGED', '') AS kind
    FROM (${touched})
    WHERE kind != ''`
}

const inPlace = (volumes: RescannedVolume[], where: Sql): Sql =>
  sql`SELECT *, concat(parent_path, name) AS old_path FROM (${touchedPaths(volumes, where)})`
