import { type EntrySelection, isCopy, queryOptions } from './selectEntries.ts'
import { billedOnce, type WithBasis } from '#server/snapshots/reading/billedBytes.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** Bytes of all copies but one of each set: of their content, and those that costs are for. */
export type Reclaimable = { freed: number; billedFreed: number }

/** Columns of `Reclaimable` for the entries of one set, and for several sets. Hard links share their bytes, so they count once. */
export const freedOfSet = (snapshot: WithBasis): Sql => sql`
  ${allButOne(sql`greatest(counted_size, 0)`)} AS freed, ${allButOne(billedOnce(snapshot))} AS billed_freed`
export const freedOfSets = sql`sum(freed) AS freed, sum(billed_freed) AS billedFreed`

const allButOne = (bytes: Sql): Sql => sql`sum(toFloat64(${bytes})) - max(${bytes})`

/** The reclaimable bytes of those of the selected files that have copies. Undefined for deleted files, which take no space. */
export async function reclaimableOf(
  clickhouse: ClickHouse,
  selection: EntrySelection,
): Promise<Reclaimable | undefined> {
  const { from, where, snapshot, deleted, volumes } = selection
  if (deleted !== false) return undefined
  return clickhouse.one<Reclaimable>(
    sql`
      SELECT ${freedOfSets} FROM (
        SELECT ${freedOfSet(snapshot)}
        FROM ${from} WHERE ${where} AND NOT is_directory AND ${isCopy(snapshot, volumes)} GROUP BY identification_hash)`,
    queryOptions(selection),
  )
}
