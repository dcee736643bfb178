import type { StoragePrice } from '#events/price-books.ts'
import { storagePriceOn } from '#server/content/price-books/index.ts'
import type { ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'
import type { ShownVolume } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** A storage on the days on which snapshots show it, oldest first. Days are numbers from 1970-01-01 on. */
export type PastVolume = ReadGenerations &
  Pick<ShownVolume, 'name'> & {
    files: number
    shown: { day: number; scanId: number; price: StoragePrice | null }[]
  }

const secondsPerDay = 86_400
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 / secondsPerDay
export const dayText = (day: number): string => new Date(day * secondsPerDay * 1000).toISOString().slice(0, 10)
/** The day of a time in seconds, UTC. */
export const dayOfMoment = (moment: Sql): Sql => sql`toInt32(intDiv(toUnixTimestamp(${moment}), ${secondsPerDay}))`

/** The past of volumes, and all days of it. */
export async function readHistory(
  db: Db,
  volumes: readonly ShownVolume[],
): Promise<{ volumes: PastVolume[]; dates: string[] }> {
  if (volumes.length === 0) return { volumes: [], dates: [] }
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'scanId')
    .select(['snapshots.volumeId', 'snapshots.indexingDate', 'scanId', 'scans.files'])
    .select(storagePriceOn('snapshots.volumeId', 'snapshots.indexingDate').as('price'))
    .where(
      'snapshots.volumeId',
      'in',
      volumes.map(({ volumeId }) => volumeId),
    )
    // Exports say too little about the use of files.
    .where('scans.state', '!=', 'imported')
    .orderBy('snapshots.indexingDate')
    .execute()
  const byVolume = Map.groupBy(rows, ({ volumeId }) => volumeId)
  return {
    dates: [...new Set(rows.map(({ indexingDate }) => indexingDate))],
    volumes: volumes.flatMap(({ volumeId, generation, layers, name }) => {
      const own = byVolume.get(volumeId)
      if (!own) return []
      const shown = own.map(({ indexingDate, scanId, price }) => ({ day: dayNumber(indexingDate), scanId, price }))
      return [{ volumeId, generation, layers, name, files: Math.max(...own.map(({ files }) => files ?? 0)), shown }]
    }),
  }
}

/** Storage classes with prices of their own. They have the numbers 1, 2, 3 …; others, and files without one, the number 0. */
export const pricedClasses = (volumes: readonly PastVolume[]): string[] => [
  ...new Set(
    volumes.flatMap(({ shown }) =>
      shown.flatMap(({ price }) => price?.classes.map(({ storageClass }) => storageClass) ?? []),
    ),
  ),
]

/** Later than any day, and than any scan. */
const never = 65_535
const noScan = 2 ** 40 - 1

/** Numbers of a volume in one list with those of others, for lookups in sorted lists. */
const keyOf = (volumeId: number, value: number): number => volumeId * 2 ** 40 + value
const keyIn = (value: Sql): Sql => sql`(toInt64(volume) * ${2 ** 40} + toInt64(${value}))`
const longs = (numbers: number[]): Sql => typed(numbers, 'Array(Int64)')

/** The smallest of the sorted keys that isn't below a value, and the largest one that isn't above it. */
const atLeast = (value: Sql, keys: number[]): Sql =>
  sql`(-roundDown(-${keyIn(value)}, ${longs(keys.toReversed().map((key) => -key))}))`
const atMost = (value: Sql, keys: number[]): Sql => sql`roundDown(${keyIn(value)}, ${longs(keys)})`

/** Expressions about the days on which volumes are shown, for rows with a column `volume`. */
export function daysOf(volumes: readonly PastVolume[]) {
  const scans = volumes.flatMap(({ volumeId, shown }) => {
    const days = [...Map.groupBy(shown, ({ scanId }) => scanId)].map(([scanId, on]) => ({
      key: keyOf(volumeId, scanId),
      on: on.map(({ day }) => day),
    }))
    const [none, late] = [keyOf(volumeId, 0), keyOf(volumeId, noScan)]
    return [{ key: none, on: [0] }, ...days.toSorted((a, b) => a.key - b.key), { key: late, on: [never] }]
  })
  const keys = scans.map(({ key }) => key)
  const days = volumes.flatMap(({ volumeId, shown }) =>
    [0, ...shown.map(({ day }) => day), never].map((day) => keyOf(volumeId, day)),
  )
  const dayOf = (key: Sql, which: 0 | -1): Sql =>
    sql`toInt32(transform(${key}, ${longs(keys)}, ${longs(scans.map(({ on }) => on.at(which) ?? 0))}, 0))`
  return {
    /** The first and the last day on which a version of these scans is shown; the first is later if it is on none. */
    first: (fromScan: Sql): Sql => dayOf(atLeast(fromScan, keys), 0),
    last: (toScan: Sql): Sql => dayOf(atMost(sql`${toScan} - 1`, keys), -1),
    /** The next day from one on, and the previous day before one, on which the volume is shown. */
    next: (day: Sql): Sql => sql`toInt32(bitAnd(${atLeast(day, days)}, ${never}))`,
    before: (day: Sql): Sql => sql`toInt32(bitAnd(${atMost(sql`${day} - 1`, days)}, ${never}))`,
  }
}

/** Later than any scan of a history, for versions that didn't end. */
export const notEnded = noScan
