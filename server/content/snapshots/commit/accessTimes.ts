import type { AccessTimes } from '#events/storages.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { type Commit, writtenRows } from './commit.ts'

/** Fewer files say nothing about a storage. */
const minFiles = 50
/** Files changed later may not have been read yet. */
const settledSeconds = 30 * 86_400
/** Writing or copying a file may access it this much later. */
const writeSeconds = 60
/** Share of files that may differ from all others: programs restore or read some. */
const maxOthers = 0.01

/**
 * Access times of a scan's files. Without symbolic links, which the scan itself accesses. `settled` are those changed over a month before the
 * scan; `accessed` of these were accessed after they were changed and created; and 98 % of them within `spread` seconds of each other.
 */
export type AccessCounts = { files: number; dated: number; settled: number; accessed: number; spread: number }

/**
 * Decides whether access times mean something. `updatesAccess`: what the mount options say, if they decide. Times that are nearly all equal
 * were set by a program, such as a restore. Otherwise reads are missing if next to no file was ever accessed after it was written.
 */
export function judgeAccessTimes(
  { files, dated, settled, accessed, spread }: AccessCounts,
  updatesAccess?: boolean,
): AccessTimes {
  if (files > 0 && dated === 0) return 'missing'
  if (updatesAccess === false) return 'frozen'
  if (settled < minFiles) return 'recorded'
  if (spread <= writeSeconds) return 'frozen'
  return updatesAccess === undefined && accessed <= settled * maxOthers ? 'frozen' : 'recorded'
}

/** Judges the access times of the files that a commit shows. */
export async function readAccessTimes(
  { clickhouse, scan, scannedAt }: Commit,
  shown: Parameters<typeof writtenRows>[0],
): Promise<AccessTimes> {
  const isSettled = sql`access > 0 AND change > 0 AND change < ${scannedAt - settledSeconds}`
  const counts = await clickhouse.one<AccessCounts>(sql`
    SELECT toFloat64(count()) AS files, toFloat64(countIf(access > 0)) AS dated, toFloat64(countIf(${isSettled})) AS settled,
      toFloat64(countIf(${isSettled} AND access > greatest(change, creation) + ${writeSeconds})) AS accessed,
      ifNotFinite(arrayDifference(quantilesTDigestIf(0.01, 0.99)(access, ${isSettled}))[2], 0) AS spread
    FROM (
      SELECT toUnixTimestamp(accessed) AS access, toUnixTimestamp(modified) AS change, toUnixTimestamp(created) AS creation
      FROM ${writtenRows(shown)} AND NOT is_directory AND size >= 0 AND link_target = '')`)
  return judgeAccessTimes(counts, scan.updatesAccess ?? undefined)
}
