import { placeHash } from '#server/content/entries/places.ts'
import type { ClickHouse, QueryOptions } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/*
 * A file keeps its number when it moves. The moves from and to a path divide the versions there into those of different files; a file that
 * was deleted and created again is the same one. A move has the number of the path and the scan at which the file left, and a file that of
 * its first move. Files that never moved have the number of their path, or a number made of the move by which another one left it.
 */

/** Adds the number of the file to rows with `place` and `from_scan`: a join, and the number. */
type FileNumbers = { join: Sql; file: Sql }

/** Prepares the numbers of files. `closed` is a condition on rows of `entry_history`. */
export async function followMoves(clickhouse: ClickHouse, closed: Sql, options: QueryOptions): Promise<FileNumbers> {
  const { scans } = await clickhouse.one<{ scans: number }>(
    sql`SELECT toFloat64(uniqExact(to_scan)) AS scans FROM entry_history WHERE ${closed} AND ended = 'moved'`,
    options,
  )
  if (scans === 0) return { join: sql``, file: sql`place` }
  const moves = movesIn(closed)
  // A file moves at most once in a scan. Each step doubles the number of moves that are followed.
  let firsts = movesBefore(byPlace(sql`SELECT *, move AS file FROM (${moves})`))
  for (let followed = 1; followed < scans; followed *= 2) firsts = stepBack(firsts)
  const numbered = sql`
    SELECT here, there, scan, move, if(first = 0, move, first) AS file
    FROM (${moves}) AS moves LEFT ANY JOIN (${firsts}) AS firsts USING move`
  return {
    join: sql`LEFT ANY JOIN (${byPlace(numbered)}) AS moved USING place`,
    file: sql`multiIf(empty(moves), place,
      (arrayLast(one -> one.1 <= from_scan, moves) AS came).3 != 0 AND came.2 = 0, came.3,
      (arrayFirst(one -> one.1 > from_scan, moves) AS goes).2 = 1, goes.3, came.3 = 0, place, cityHash64(came.3))`,
  }
}

/** Moves with the places before and after, and their scans. */
const movesIn = (closed: Sql): Sql => sql`
  SELECT here, there, scan, cityHash64(here, scan) AS move
  FROM (
    SELECT ${placeHash} AS here, to_scan AS scan, splitByChar('/', moved_to)[-1] AS last,
      cityHash64(volume, substring(moved_to, 1, length(moved_to) - length(last)), last, is_directory) AS there
    FROM entry_history WHERE ${closed} AND ended = 'moved')`

/** Moves by place: the scan of each, 1 if it is from there, and the number of the move, or of the file if it is to there. */
const byPlace = (moves: Sql): Sql => sql`
  SELECT each.1 AS place, arraySort(groupArray((each.2, each.3, each.4))) AS moves
  FROM (SELECT arrayJoin([(here, scan, 1, move), (there, scan, 0, file)]) AS each FROM (${moves}))
  GROUP BY place`

/** The move before each move of a file that had moved before. */
const movesBefore = (places: Sql): Sql => sql`
  SELECT pair.1 AS move, pair.2 AS first
  FROM (
    SELECT arrayJoin(arrayFilter((pair, one, before) -> one.2 = 1 AND before.2 = 0 AND before.3 != 0,
      arrayMap((one, before) -> (one.3, before.3), moves, shifted), moves, shifted)) AS pair
    FROM (SELECT moves, arrayPopBack(arrayPushFront(moves, (0, 0, 0))) AS shifted FROM (${places})))`

/** Replaces the earlier move of each pair by that of its own pair, if it has one. */
const stepBack = (firsts: Sql): Sql => sql`
  SELECT arrayJoin(later) AS move, if(before = 0, through, before) AS first
  FROM (
    SELECT each.1 AS through, groupArrayIf(each.2, each.3 = 1) AS later, maxIf(each.2, each.3 = 0) AS before
    FROM (SELECT arrayJoin([(first, move, 1), (move, first, 0)]) AS each FROM (${firsts}))
    GROUP BY through)`
