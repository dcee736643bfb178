import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

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
 * A scan of each volume, to compare with scans of rows of these volumes alone. One that is the same for all is not looked up for
 * each row: planning a question of one folder then takes three quarters of the time.
 */
export function scanOf<Volume extends { volumeId: number }>(
  volumes: readonly Volume[],
  scanIdOf: (volume: Volume) => number,
): Sql {
  const [first, ...others] = new Set(volumes.map(scanIdOf))
  return first !== undefined && others.length === 0 ? sql`${first}` : perVolume(volumes, scanIdOf, 0)
}

/**
 * Whether a version in `entry_history` ended after one scan of its volume, and not after another; what is of no volume here did
 * not: its partition is left out, of one folder half of the time. The bounds of all volumes together let the index of `to_scan`
 * leave out what ended at other times.
 */
export function endedWithin<Volume extends { volumeId: number }>(
  volumes: readonly Volume[],
  after: (volume: Volume) => number,
  until: (volume: Volume) => number,
): Sql {
  if (volumes.length === 0) return sql`0`
  const [first, last] = [Math.min(...volumes.map(after)), Math.max(...volumes.map(until))]
  return sql`(_partition_id IN ${volumes.map(({ volumeId }) => String(volumeId))} AND to_scan > ${first} AND to_scan <= ${last}
    AND to_scan > ${scanOf(volumes, after)} AND to_scan <= ${scanOf(volumes, until)})`
}
