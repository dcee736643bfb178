import { daysBefore } from '#events/contract/days.ts'
import {
  type AccessTimes,
  type Shares,
  type StorageStatistics,
  ageBuckets,
  firstDaysOfAges,
  largerSize,
  largestExtensions,
  olderAge,
  otherExtensions,
  sizeBuckets,
  unknownBucket,
} from '#events/storages.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'

const dates = ['MODIFIED_DATE', 'ACCESS_DATE', 'CREATION_DATE', 'BACKUP_DATE'] as const
const dimensions = ['SIZE', ...dates, 'EXTENSION', 'STORAGE_CLASS'] as const satisfies (keyof StorageStatistics)[]
type Dimension = (typeof dimensions)[number]

/** A date, and its scan of the volume. Accesses of scans whose access times mean nothing are unknown. */
type ShownDate = { indexingDate: string; scanId: number; accessTimes: AccessTimes }

/** Statistics of a volume's files at each of these dates; ages count from the date itself. */
export async function readStatistics(
  clickhouse: ClickHouse,
  volumeId: number,
  shown: ShownDate[],
): Promise<(indexingDate: string) => StorageStatistics> {
  const counted = await countFiles(clickhouse, volumeId, shown)
  const byDate = Map.groupBy(counted, ({ place }) => shown[place - 1]?.indexingDate)
  return (indexingDate) => asStatistics(byDate.get(indexingDate) ?? [])
}

type Count = { numberOfFiles: number; sizeOfFiles: number }
/** `place` is the number of the date, from 1. The key of a day is the number of its age, '0' beyond all ages. */
type StatisticsRow = Count & { place: number; dimension: Dimension; key: string }

/** Only the largest extensions: every dimension counts all files, so the remainder is known. */
async function countFiles(clickhouse: ClickHouse, volumeId: number, shown: ShownDate[]): Promise<StatisticsRow[]> {
  if (shown.length === 0) return []
  const scans = shown.map(({ scanId }) => scanId)
  const places = shown.map((_, index) => index + 1)
  const ages = typed(
    shown.map(({ indexingDate }) => firstDaysOfAges(indexingDate)),
    'Array(Array(String))',
  )
  // Counts of earlier versions have days in the future.
  const latest = shown.map(({ indexingDate }) => daysBefore(indexingDate, -2))
  const unrecorded = typed(
    shown.filter(({ accessTimes }) => accessTimes !== 'recorded').map(({ scanId }) => scanId),
    'Array(UInt64)',
  )
  return clickhouse.rows<StatisticsRow>(sql`
    SELECT arrayJoin(arrayFilter((place, of) -> of = scan, ${places}, ${scans})) AS place, dimension,
      multiIf(dimension NOT IN ${[...dates]}, bucket, bucket = '' OR bucket > ${latest}[place] OR (dimension = 'ACCESS_DATE' AND scan IN ${unrecorded}), '',
        toString(arrayFirstIndex(first -> bucket >= first, ${ages}[place]))) AS key,
      sum(files) AS numberOfFiles, sum(toFloat64(bytes)) AS sizeOfFiles
    FROM volume_statistics AS s
    WHERE s.volume = ${volumeId} AND s.scan IN ${scans} AND s.dimension IN ${[...dimensions]}
    GROUP BY place, dimension, key
    ORDER BY place, dimension, sizeOfFiles DESC, numberOfFiles DESC, key
    LIMIT ${largestExtensions} BY place, dimension, if(dimension = 'EXTENSION', '', key)`)
}

function asStatistics(counted: StatisticsRow[]): StorageStatistics {
  const of = (dimension: Dimension) => counted.filter((row) => row.dimension === dimension)
  const byAge = (dimension: Dimension) => shares(of(dimension), ({ key }) => ageOf(key))
  return {
    SIZE: shares(of('SIZE'), ({ key }) => (key === '' ? unknownBucket : sizeOf(Number(key)))),
    MODIFIED_DATE: byAge('MODIFIED_DATE'),
    ACCESS_DATE: byAge('ACCESS_DATE'),
    CREATION_DATE: byAge('CREATION_DATE'),
    BACKUP_DATE: byAge('BACKUP_DATE'),
    EXTENSION: byExtension(of('EXTENSION'), total(of('SIZE'))),
    STORAGE_CLASS: shares(of('STORAGE_CLASS'), ({ key }) => key),
  }
}

const ageOf = (key: string): string => (key === '' ? unknownBucket : (ageBuckets[Number(key) - 1]?.key ?? olderAge))

const sizeOf = (bytes: number): string => sizeBuckets.find(({ below }) => bytes < below)?.key ?? largerSize

/** JSON parsers leave it out. */
const noKey = '__proto__'

function byExtension(largest: StatisticsRow[], all: Count): Shares {
  const alone = largest.filter(({ key }) => key !== noKey)
  const { numberOfFiles, sizeOfFiles } = total(alone)
  const others = { numberOfFiles: all.numberOfFiles - numberOfFiles, sizeOfFiles: all.sizeOfFiles - sizeOfFiles }
  const rest = others.numberOfFiles > 0 ? [{ key: otherExtensions, ...others }] : []
  return shares([...alone, ...rest], ({ key }) => key)
}

/** Sums by key, the largest first. */
function shares<Row extends Count>(rows: Row[], keyOf: (row: Row) => string): Shares {
  const added = [...Map.groupBy(rows, keyOf)].map(([key, of]) => [key, total(of)] as const)
  return Object.fromEntries(added.toSorted(([, a], [, b]) => b.sizeOfFiles - a.sizeOfFiles))
}

const total = (rows: Count[]): Count => ({
  numberOfFiles: rows.reduce((sum, { numberOfFiles }) => sum + numberOfFiles, 0),
  sizeOfFiles: rows.reduce((sum, { sizeOfFiles }) => sum + sizeOfFiles, 0),
})
