import { join, type Sql, sql, typed } from '#server/platform/sql.ts'
import type { Rescanned } from './comparedVolumes.ts'

const anyOf = (volumes: Rescanned[], condition: (volume: Rescanned) => Sql): Sql =>
  volumes.length === 0 ? sql`0` : sql`(${join(volumes.map(condition), ' OR ')})`

/**
 * The versions that the later date shows and the earlier one does not. Only these and those that `endedBetween` are read:
 * what both dates show costs nothing.
 */
export const begunBetween = (volumes: Rescanned[], columns: Sql, where: Sql = sql`1`): Sql => sql`
  SELECT ${columns} FROM entries WHERE ${where} AND ${anyOf(
    volumes,
    ({ volumeId, generation, previousScan, scanId }) => sql`
      (volume = ${volumeId} AND generation = ${generation} AND from_scan > ${previousScan} AND from_scan <= ${scanId})`,
  )}
  UNION ALL
  SELECT ${columns} FROM entry_history WHERE ${where} AND ${anyOf(
    volumes.filter(({ scanId, committedScan }) => scanId < committedScan),
    ({ volumeId, previousScan, scanId, committedScan }) => sql`
      (volume = ${volumeId} AND from_scan > ${previousScan} AND from_scan <= ${scanId}
        AND to_scan > ${scanId} AND to_scan <= ${committedScan})`,
  )}`

/** The versions in `entry_history` that ended after the earlier date and not after the later one. */
export const endedBetween = (volumes: Rescanned[]): Sql =>
  anyOf(
    volumes,
    ({ volumeId, previousScan, scanId }) =>
      sql`(volume = ${volumeId} AND to_scan > ${previousScan} AND to_scan <= ${scanId})`,
  )

/** Whether such a version is one that the earlier date shows. */
export const isBefore = (volumes: Rescanned[]): Sql =>
  volumes.length === 0
    ? sql`0`
    : sql`(from_scan <= transform(volume, ${typed(
        volumes.map(({ volumeId }) => volumeId),
        'Array(UInt32)',
      )}, ${typed(
        volumes.map(({ previousScan }) => previousScan),
        'Array(UInt64)',
      )}, toUInt64(0)))`
