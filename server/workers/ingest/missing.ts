import { counted } from '#events/contract/counted.ts'
import type { Listing } from '#events/sources/kinds.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { kindOf, tablesOf } from './scanTables.ts'

/** The announcement of an agent at the end of an attempt. */
export type AnnouncedScan = { attempt: number; batches: number; progress: { entries: number } }

/** Names the first missing part of a scan; undefined if it is complete. The cheapest query runs first. */
export async function missing(
  clickhouse: ClickHouse,
  scanId: number,
  announced: AnnouncedScan,
  scannedPath = '',
  listing: Listing = 'walk',
): Promise<string | undefined> {
  return (
    (await missingBatches(clickhouse, scanId, announced)) ??
    (await missingRoot(clickhouse, scanId, scannedPath)) ??
    (await (listing === 'pages' ? doubleEntry(clickhouse, scanId) : missingInFolders(clickhouse, scanId, scannedPath)))
  )
}

/** The examples are the first number of each gap. Time and memory grow with what arrived, not with the announced number. */
async function missingBatches(clickhouse: ClickHouse, scanId: number, { attempt, batches }: AnnouncedScan) {
  const { arrived, last, some } = await clickhouse.one<{ arrived: number; last: number; some: number[] }>(sql`
    WITH arrayConcat([0], arraySort(groupUniqArray(batch)), [${batches} + 1]) AS arrivals
    SELECT length(arrivals) - 2 AS arrived, toFloat64(max(batch)) AS last,
      arraySlice(arrayFilter((n, step) -> step > 1,
        arrayMap((n, step) -> n - step + 1, arrivals, arrayDifference(arrivals)), arrayDifference(arrivals)), 1, 10) AS some
    FROM ${tablesOf(scanId).staging} WHERE attempt = ${attempt}`)
  if (Number(arrived) === batches && last <= batches) return undefined
  if (last > batches) return `batch ${last} came, though the last one announced was ${batches}`
  return `${batches - Number(arrived)} of ${counted(batches, 'batch', 'batches')} (such as ${some.map(Number).join(', ')})`
}

async function missingRoot(clickhouse: ClickHouse, scanId: number, scannedPath: string) {
  const { marks, entries } = await clickhouse.one<{ marks: number; entries: number }>(sql`
    SELECT toFloat64(countIf(kind IN (${kindOf.listed}, ${kindOf.unreadable}))) AS marks,
      toFloat64(countIf(kind IN (${kindOf.entry}, ${kindOf.delta}))) AS entries
    FROM ${tablesOf(scanId).staging} WHERE is_directory AND concat(parent_path, name) = ${scannedPath}`)
  if (marks === 0) return `the end of the listing of ${joinNames(scannedPath)}`
  // A scanned folder that is gone has an end without an entry; a storage itself is never gone.
  return entries === 0 && scannedPath === '' ? 'the entry of the storage itself' : undefined
}

/**
 * Checks that each seen folder below the scanned one has one end of listing, and as many entries as the end states. One
 * mark may replace all unchanged files.
 */
async function missingInFolders(clickhouse: ClickHouse, scanId: number, scannedPath: string) {
  const [wrong] = await clickhouse.rows<Counts>(
    sql`
    SELECT folder, toFloat64(sum(f.entry)) AS entries, toFloat64(sum(f.mark)) AS marks,
      toFloat64(sum(f.below)) AS came, toFloat64(sum(f.children)) AS said
    FROM (
      SELECT parent_path AS folder, 0 AS entry, 0 AS mark, 0 AS listed, count() AS below, 0 AS children
      FROM ${tablesOf(scanId).staging}
      WHERE kind = ${kindOf.entry} GROUP BY 1
      UNION ALL
      SELECT concat(parent_path, name, '/'), kind = ${kindOf.entry}, kind IN (${kindOf.listed}, ${kindOf.unreadable}), kind = ${kindOf.listed}, if(kind = ${kindOf.unchanged}, files, 0),
        children
      FROM ${tablesOf(scanId).staging} WHERE is_directory) AS f
    WHERE length(folder) > ${Buffer.byteLength(scannedPath)}
    GROUP BY folder
    HAVING marks > 1 OR entries > 1 OR (entries = 1 AND marks = 0)
      OR (entries = 0 AND marks = 1 AND folder != concat(${scannedPath}, '/')) OR (sum(f.listed) = 1 AND came != said)
    ORDER BY folder LIMIT 1
    SETTINGS optimize_aggregation_in_order = 1, max_bytes_before_external_group_by = 268435456`,
    { seconds: 600 },
  )
  return wrong && inWords(wrong)
}

/**
 * Finds a page that was recorded twice. Entries by folder can't be counted in paged listings: earlier attempts were
 * kept up to a checkpoint for which all batches had arrived.
 */
async function doubleEntry(clickhouse: ClickHouse, scanId: number): Promise<string | undefined> {
  const [double] = await clickhouse.rows<{ path: string; entries: number }>(
    sql`
    SELECT concat(parent_path, name) AS path, toFloat64(count()) AS entries
    FROM ${tablesOf(scanId).staging}
    WHERE kind = ${kindOf.entry} GROUP BY parent_path, name, is_directory HAVING entries > 1 LIMIT 1
    SETTINGS optimize_aggregation_in_order = 1, max_bytes_before_external_group_by = 268435456`,
    { seconds: 600 },
  )
  return double && `one entry of ${joinNames(double.path)} (${double.entries} came)`
}

type Counts = { folder: string; entries: number; marks: number; came: number; said: number }

function inWords({ folder, entries, marks, came, said }: Counts): string {
  const where = joinNames(folder.slice(0, -1))
  if (marks !== 1) return `one end of the listing of ${where} (${marks} came)`
  if (entries !== 1) return `one entry of ${where} (${entries} came)`
  return `entries of ${where} (${came} of ${said} came)`
}

const joinNames = (path: string): string => path || 'the storage itself'
