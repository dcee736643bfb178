import { repeatedBytes } from '#server/entries/totals.ts'
import { type EntrySelection, isCopy, queryOptions } from '#server/entries/selectEntries.ts'
import { billedOnce } from '#server/snapshots/reading/billedBytes.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/**
 * Bytes of all copies but one of each set: of their content, and those that costs are for; `billedCopies` are those of all copies. `repeated`
 * is above zero if some of the copies are hard links of a file.
 */
export type Reclaimable = { bytes: number; billed: number; billedCopies: number; repeated: number }

/**
 * The bytes of all selected files with copies, minus one copy of each set. Hard links share their bytes, so they count
 * once. Undefined for deleted files, which take no space.
 */
export async function reclaimableOf(
  clickhouse: ClickHouse,
  selection: EntrySelection,
): Promise<Reclaimable | undefined> {
  const { from, where, snapshot, deleted, volumes } = selection
  if (deleted !== false) return undefined
  return clickhouse.one<Reclaimable>(
    sql`
      SELECT sum(freed) AS bytes, sum(billed_freed) AS billed, sum(billed_all) AS billedCopies,
        sum(linked) AS repeated FROM (
        SELECT sum(toFloat64(greatest(counted_size, 0))) - max(greatest(counted_size, 0)) AS freed,
          sum(toFloat64(${billedOnce(snapshot)})) AS billed_all, billed_all - max(${billedOnce(snapshot)}) AS billed_freed,
          ${repeatedBytes} AS linked
        FROM ${from} WHERE ${where} AND NOT is_directory AND ${isCopy(snapshot, volumes)}
        GROUP BY identification_hash)`,
    queryOptions(selection),
  )
}
