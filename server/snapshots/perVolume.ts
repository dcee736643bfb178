import { type Sql, sql } from '#server/platform/sql.ts'

type Volumes<Volume> = readonly Volume[]
type NumberOf<Volume> = (volume: Volume) => number

/**
 * A number for each volume, to stand beside columns of a row of it; 0 for a row of another. With twenty volumes rows take two
 * thirds of the time of a condition for each of them, and a question of one folder of an older date a quarter.
 */
export const perVolume = <Volume extends { volumeId: number }>(
  volumes: Volumes<Volume>,
  numberOf: NumberOf<Volume>,
): Sql =>
  volumes.length === 0
    ? sql`0`
    : sql`transform(volume, ${volumes.map(({ volumeId }) => volumeId)}, ${volumes.map(numberOf)}, 0)`

/**
 * Whether a version ended after one scan of its volume, and not after another; what is of no volume here did not. The bounds of
 * all volumes together let the index of `to_scan` leave out what ended at other times.
 */
export function endedWithin<Volume extends { volumeId: number }>(
  volumes: Volumes<Volume>,
  after: NumberOf<Volume>,
  until: NumberOf<Volume>,
): Sql {
  if (volumes.length === 0) return sql`0`
  const [first, last] = [Math.min(...volumes.map(after)), Math.max(...volumes.map(until))]
  return sql`(to_scan > ${first} AND to_scan <= ${last}
    AND to_scan > ${perVolume(volumes, after)} AND to_scan <= ${perVolume(volumes, until)})`
}
