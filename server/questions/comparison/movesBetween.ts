import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { RescannedVolume } from './comparedVolumes.ts'
import { key, touchedPaths } from './touchedPaths.ts'
import { endedBetween } from './versions.ts'

/**
 * Number of moves out of, into or within a folder, of moves across its border, and of moves of already moved entries.
 */
export type MoveCounts = { moves: number; crossing: number; movedOn: number }
const nothingMoved: MoveCounts = { moves: 0, crossing: 0, movedOn: 0 }

const path = sql`concat(parent_path, name)`

export async function countMoves(
  clickhouse: ClickHouse,
  volumes: RescannedVolume[],
  within: string,
): Promise<MoveCounts> {
  if (volumes.length === 0) return nothingMoved
  const ended = endedBetween(volumes)
  const [from, to] = [sql`startsWith(parent_path, ${within})`, sql`startsWith(moved_to, ${within})`]
  const counted = await clickhouse.one<Pick<MoveCounts, 'moves' | 'crossing'>>(sql`
    SELECT countIf(${from} OR ${to}) AS moves, countIf(${from} != ${to}) AS crossing
    FROM entry_history WHERE ended = 'moved' AND ${ended}`)
  if (counted.moves === 0) return nothingMoved
  const { movedOn } = await clickhouse.one<{ movedOn: number }>(sql`
    SELECT count() AS movedOn FROM entry_history
    WHERE ended != 'changed' AND ${ended} AND (volume, ${path}) IN (${destinations(volumes)})`)
  return { ...counted, movedOn }
}

const destinations = (volumes: RescannedVolume[]) => sql`
  SELECT volume, moved_to FROM entry_history WHERE ended = 'moved' AND ${endedBetween(volumes)}`

/**
 * The touched paths, with each moved entry at its path on the later date; `old_path` is the previous one. A move counts
 * if it leads from a path only on the earlier date to one only on the later date. If several lead to a path, the last
 * one counts, because the steps between are not kept forever.
 */
export const withMoves = (volumes: RescannedVolume[], moved: MoveCounts, where: Sql): Sql => sql`
  SELECT ${key}, is_here, is_free OR was_here AS was_here, size, content, ending,
    if(is_free, mover.1, ${path}) AS old_path, if(is_free, mover.2, old_size) AS old_size,
    if(is_free, mover.3, old_content) AS old_content
  FROM (
    SELECT ${key}, is_here, was_here, size, content, ending, old_size, old_content, way_to,
      argMaxIf((${path}, old_size, old_content), ended_at, way_to != '') OVER meeting AS mover,
      max(way_to != '') OVER meeting AND maxIf(is_here AND NOT was_here, way_to = '') OVER meeting AS is_free
    FROM (${moved.movedOn > 0 ? wholeWays(volumes, where) : firstSteps(volumes, where)})
    WINDOW meeting AS (PARTITION BY volume, is_directory, if(way_to = '', ${path}, way_to)))
  WHERE way_to = '' OR NOT is_free OR mover.1 != ${path}`

/** The first move of each moved entry of the earlier date. */
const firstSteps = (volumes: RescannedVolume[], where: Sql): Sql => sql`
  SELECT *, if(was_here AND NOT is_here AND ending = 'moved', moved_to, '') AS way_to
  FROM (${touchedPaths(volumes, where)})`

/** The final place of each moved entry, or the ending by which it was lost on the way. */
const wholeWays = (volumes: RescannedVolume[], where: Sql): Sql => sql`
  SELECT f.* EXCEPT (ending, ended_at, way_to), if(${isWhole}, f.ending, w.way_ending) AS ending,
    if(${isWhole}, f.ended_at, w.way_end) AS ended_at, if(${isWhole}, f.way_to, w.led_to) AS way_to
  FROM (${firstSteps(volumes, where)}) AS f
  LEFT ANY JOIN (${waysOn(volumes)}) AS w
    ON f.volume = w.on_volume AND f.is_directory = w.of_directory AND concat(f.parent_path, f.name) = w.origin`

const isWhole = sql`(f.way_to = '' OR w.way_ending = '')`

/**
 * The paths of entries that moved more than once, or ended after a move: each step is the first ending after the
 * previous one.
 */
const waysOn = (volumes: RescannedVolume[]): Sql => sql`
  WITH RECURSIVE steps AS (
    SELECT volume, is_directory, ${path} AS origin, arrayMin(groupArray((to_scan, toString(ended), moved_to))) AS first,
      first.1 AS at_scan, first.2 AS ending, first.3 AS led_to
    FROM entry_history
    WHERE ended != 'changed' AND ${endedBetween(volumes)} AND (volume, ${path}) IN (
      SELECT volume, ${path} FROM entry_history WHERE ended = 'moved' AND ${endedBetween(volumes)})
    GROUP BY volume, is_directory, parent_path, name
    UNION ALL
    SELECT s.volume, s.is_directory, s.origin, e.step, e.step.1, e.step.2, e.step.3
    FROM steps AS s
    ASOF INNER JOIN (
      SELECT volume, is_directory, ${path} AS path, to_scan, (to_scan, toString(ended), moved_to) AS step
      FROM entry_history
      WHERE ended != 'changed' AND ${endedBetween(volumes)} AND (volume, ${path}) IN (${destinations(volumes)})
    ) AS e ON s.volume = e.volume AND s.is_directory = e.is_directory AND s.led_to = e.path AND e.to_scan > s.at_scan
    WHERE s.ending = 'moved')
  SELECT volume AS on_volume, is_directory AS of_directory, origin, argMax(led_to, at_scan) AS led_to,
    argMax(ending, at_scan) AS way_ending, max(at_scan) AS way_end
  FROM steps GROUP BY volume, is_directory, origin HAVING count() > 1`
