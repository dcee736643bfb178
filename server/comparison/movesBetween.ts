import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import type { Rescanned } from './comparedVolumes.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

/** Whether anything was moved between the dates, and whether anything that was moved ended, or was moved on. */
export type Moved = { moves: number; movedOn: number }
export const nothingMoved: Moved = { moves: 0, movedOn: 0 }

const path = sql`concat(parent_path, name)`

/** How much was moved out of, into or within a folder. */
export async function countMoves(clickhouse: ClickHouse, volumes: Rescanned[], within: string): Promise<Moved> {
  if (volumes.length === 0) return nothingMoved
  const ended = endedBetween(volumes)
  const { moves } = await clickhouse.one<{ moves: number }>(sql`
    SELECT count() AS moves FROM entry_history
    WHERE ended = 'moved' AND ${ended} AND (startsWith(parent_path, ${within}) OR startsWith(moved_to, ${within}))`)
  if (moves === 0) return nothingMoved
  const { movedOn } = await clickhouse.one<{ movedOn: number }>(sql`
    SELECT count() AS movedOn FROM entry_history
    WHERE ended != 'changed' AND ${ended} AND (volume, ${path}) IN (
      SELECT volume, moved_to FROM entry_history WHERE ended = 'moved' AND ${ended})`)
  return { moves, movedOn }
}

/**
 * Where the entries of the earlier date went that were moved: `arrived` at a path that only the later date has, or gone
 * on the way, by what `ending`. An entry is followed from scan to scan; one whose own path is taken again stays there.
 */
export const movesBetween = (volumes: Rescanned[], { movedOn }: Moved): Sql => sql`(
  SELECT volume, is_directory, from_parent_path, from_name, ending,
    splitByChar('/', way_to)[-1] AS to_name, substring(way_to, 1, length(way_to) - length(to_name)) AS to_parent_path,
    ${isFree(volumes)} AND row_number() OVER (PARTITION BY volume, is_directory, way_to ORDER BY scan DESC) = 1 AS arrived
  FROM (
    SELECT volume, is_directory, from_parent_path, from_name, argMax(moved_to, at_scan) AS way_to,
      argMax(ended, at_scan) AS ending, max(at_scan) AS scan
    FROM (${movedOn > 0 ? wholeWays(volumes) : firstSteps(volumes)})
    GROUP BY volume, is_directory, from_parent_path, from_name))`

/** How each entry of the earlier date that was moved first lost its path. */
const firstSteps = (volumes: Rescanned[]) => sql`
  SELECT volume, is_directory, parent_path AS from_parent_path, name AS from_name, (arrayMin(endings) AS first).2 AS ended,
    first.3 AS moved_to, first.1 AS at_scan
  FROM (
    SELECT volume, is_directory, parent_path, name, max(${isBefore(volumes)}) AS was_here,
      groupArrayIf((to_scan, toString(ended), moved_to), ended != 'changed') AS endings
    FROM entry_history
    WHERE ${endedBetween(volumes)} AND (volume, parent_path, name, is_directory) IN (
      SELECT volume, parent_path, name, is_directory FROM entry_history
      WHERE ended = 'moved' AND ${endedBetween(volumes)})
    GROUP BY volume, is_directory, parent_path, name)
  WHERE was_here AND ended = 'moved'`

/** All steps of each, until it lost its path otherwise or kept the one that it had last. */
const wholeWays = (volumes: Rescanned[]) => sql`
  WITH RECURSIVE ways AS (
    ${firstSteps(volumes)}
    UNION ALL
    SELECT w.volume, w.is_directory, w.from_parent_path, w.from_name, e.ended, e.moved_to, e.to_scan
    FROM ways AS w
    ASOF INNER JOIN (
      SELECT volume, is_directory, ${path} AS path, to_scan, toString(ended) AS ended, moved_to FROM entry_history
      WHERE ended != 'changed' AND ${endedBetween(volumes)} AND (volume, ${path}) IN (
        SELECT volume, moved_to FROM entry_history WHERE ended = 'moved' AND ${endedBetween(volumes)})
    ) AS e ON w.volume = e.volume AND w.is_directory = e.is_directory AND w.moved_to = e.path AND e.to_scan > w.at_scan
    WHERE w.ended = 'moved')
  SELECT * FROM ways`

/** Whether the way led to a path that only the later date has, from one that only the earlier one has. */
function isFree(volumes: Rescanned[]): Sql {
  const onAWay = sql`(volume, ${path}) IN (
    SELECT volume, arrayJoin([${path}, moved_to]) FROM entry_history WHERE ended = 'moved' AND ${endedBetween(volumes)})`
  const key = sql`volume, is_directory, ${path}`
  const after = sql`(${begunBetween(volumes, key, onAWay)})`
  const before = sql`(
    SELECT ${key} FROM entry_history WHERE ${onAWay} AND ${endedBetween(volumes)} AND ${isBefore(volumes)})`
  return sql`(ending = 'moved' AND (volume, is_directory, way_to) IN ${after}
    AND (volume, is_directory, way_to) NOT IN ${before}
    AND (volume, is_directory, concat(from_parent_path, from_name)) NOT IN ${after})`
}
