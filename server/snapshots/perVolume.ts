import { type Sql, sql } from '#server/platform/sql.ts'

/**
 * What is known of each volume, to stand beside columns of a row of it; `other` in rows of the others. With twenty volumes rows
 * take two thirds of the time of a condition for each of them, and a question of one folder of an older date a quarter.
 */
export const perVolume = <Volume extends { volumeId: number }, Value extends number | string>(
  volumes: readonly Volume[],
  valueOf: (volume: Volume) => Value,
  other: Value,
): Sql =>
  volumes.length === 0
    ? sql`${other}`
    : sql`transform(volume, ${volumes.map(({ volumeId }) => volumeId)}, ${volumes.map(valueOf)}, ${other})`

/**
 * Whether a version ended after one scan of its volume, and not after another; what is of no volume here did not. The bounds of
 * all volumes together let the index of `to_scan` leave out what ended at other times.
 */
export function endedWithin<Volume extends { volumeId: number }>(
  volumes: readonly Volume[],
  after: (volume: Volume) => number,
  until: (volume: Volume) => number,
): Sql {
  if (volumes.length === 0) return sql`0`
  const [first, last] = [Math.min(...volumes.map(after)), Math.max(...volumes.map(until))]
  return sql`(to_scan > ${first} AND to_scan <= ${last}
    AND to_scan > ${perVolume(volumes, after, 0)} AND to_scan <= ${perVolume(volumes, until, 0)})`
}
