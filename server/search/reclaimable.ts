import { type EntrySelection, isCopy, queryOptions } from '#server/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/**
 * The bytes of all selected files with copies, minus one copy of each set. Hard links share their bytes, so they count
 * once. Undefined for deleted files, which take no space.
 */
export async function reclaimableOf(clickhouse: ClickHouse, selection: EntrySelection): Promise<number | undefined> {
  const { from, where, snapshot, deleted, volumes } = selection
  if (deleted !== false) return undefined
  const { bytes } = await clickhouse.one<{ bytes: number }>(
    sql`
      SELECT sum(freed) AS bytes FROM (
        SELECT sum(greatest(counted_size, 0)) - max(greatest(counted_size, 0)) AS freed
        FROM ${from} WHERE ${where} AND NOT is_directory AND ${isCopy(snapshot, volumes)}
        GROUP BY identification_hash)`,
    queryOptions(selection),
  )
  return bytes
}
