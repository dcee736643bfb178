import {
  type Shares,
  type StorageStatistics,
  ageBuckets,
  largerSize,
  largestExtensions,
  olderAge,
  otherExtensions,
  sizeBuckets,
  unknownAge,
} from '#events/storages.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'

const dimensions = [
  'SIZE',
  'MODIFIED_DATE',
  'ACCESS_DATE',
  'CREATION_DATE',
  'BACKUP_DATE',
  'EXTENSION',
  'STORAGE_CLASS',
] as const satisfies (keyof StorageStatistics)[]
type Dimension = (typeof dimensions)[number]

/** A date, and the scan of the volume that it shows. */
type Shown = { indexingDate: string; scanId: number }

/** What the files of a volume are like at each of these dates; ages count from the date itself. */
export async function readStatistics(
  clickhouse: ClickHouse,
  volumeId: number,
  shown: Shown[],
): Promise<(indexingDate: string) => StorageStatistics> {
  const counted = await countShares(clickhouse, volumeId, shown)
  const byDate = Map.groupBy(counted, ({ indexingDate }) => indexingDate)
  return (indexingDate) => asStatistics(byDate.get(indexingDate) ?? [])
}

type Counted = {
  indexingDate: string
  dimension: Dimension
  key: string
  numberOfFiles: number
  sizeOfFiles: number
}

function asStatistics(counted: Counted[]): StorageStatistics {
  const shares = (dimension: Dimension): Shares =>
    Object.fromEntries(
      counted
        .filter((row) => row.dimension === dimension)
        .map(({ key, numberOfFiles, sizeOfFiles }) => [key, { numberOfFiles, sizeOfFiles }]),
    )
  return Object.fromEntries(dimensions.map((dimension) => [dimension, shares(dimension)])) as StorageStatistics
}

/**
 * The buckets of a date's ages begin at other days than those of the next date: `ages` are their ends, in days before
 * the date.
 */
async function countShares(clickhouse: ClickHouse, volumeId: number, shown: Shown[]): Promise<Counted[]> {
  if (shown.length === 0) return []
  const scans = shown.map(({ scanId }) => scanId)
  return clickhouse.rows<Counted>(sql`
    SELECT indexingDate, dimension,
      if(dimension = 'EXTENSION' AND (turn > ${largestExtensions} OR key = ${noKey}), ${otherExtensions}, key) AS key,
      sum(files) AS numberOfFiles, sum(bytes) AS sizeOfFiles
    FROM (
      SELECT indexingDate, dimension, key, sum(files) AS files, sum(bytes) AS bytes,
        row_number() OVER (PARTITION BY indexingDate, dimension ORDER BY bytes DESC, files DESC, key) AS turn
      FROM (
        SELECT d.indexingDate AS indexingDate, s.dimension AS dimension, s.files AS files, s.bytes AS bytes,
          multiIf(s.dimension = 'SIZE', ${sizeKey}, s.dimension IN ('EXTENSION', 'STORAGE_CLASS'), s.bucket, ${ageKey})
            AS key
        FROM volume_statistics AS s
        INNER JOIN (
          SELECT toUInt64(shown.1) AS scan, shown.2 AS indexingDate, toDate32(shown.2) AS day, ${ageEnds} AS ages
          FROM (SELECT arrayJoin(arrayZip(${scans}, ${shown.map(({ indexingDate }) => indexingDate)})) AS shown)
        ) AS d ON s.scan = d.scan
        WHERE s.volume = ${volumeId} AND s.scan IN ${scans} AND s.dimension IN ${[...dimensions]})
      GROUP BY indexingDate, dimension, key)
    GROUP BY indexingDate, dimension, key
    ORDER BY indexingDate, dimension, sizeOfFiles DESC, key`)
}

/** Readers of JSON leave it out. */
const noKey = '__proto__'

const ageEnds = sql`arrayMap((days, months) -> toInt32(day) - toInt32(subtractMonths(subtractDays(day, days), months)),
  ${ageBuckets.map((bucket) => ('days' in bucket ? bucket.days : 0))},
  ${ageBuckets.map((bucket) => ('months' in bucket ? bucket.months : 0))})`

/** The index is 0 beyond the last of them: keys begin with what stands for that. */
const ageKey = sql`if(s.bucket = '', ${unknownAge}, ${[olderAge, ...ageBuckets.map(({ key }) => key)]}[
  1 + arrayFirstIndex(end -> toInt32(d.day) - toInt32(toDate32OrZero(s.bucket)) <= end, d.ages)])`

const sizeKey = sql`${[largerSize, ...sizeBuckets.map(({ key }) => key)]}[
  1 + arrayFirstIndex(below -> toUInt64OrZero(s.bucket) < below, ${sizeBuckets.map(({ below }) => below)})]`
