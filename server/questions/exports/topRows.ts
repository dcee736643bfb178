import type { Direction } from '#events/contract/page.ts'
import { inDirection, type Sort, sortable, upTo } from '#server/content/entries/order.ts'
import type { EntrySelection } from '#server/content/entries/selectEntries.ts'
import type { QueryOptions, ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/** A list in its order, and the maximum number of its entries in a download. */
export type DownloadList = { selection: EntrySelection; sort: Sort; direction: Direction; maxRows: number }

/** Bytes of keys above which the engine drops those that can't be among the first; otherwise it holds a gigabyte. */
const keptKeyBytes = 50_000_000

/**
 * The condition of a list, limited to its first entries. Their end is found by the sort key alone, which avoids reading
 * and sorting the other columns of the rest: the first million of a hundred took a fifth of the time and memory.
 */
export async function topRowsCondition(
  clickhouse: ClickHouse,
  { selection: { from, where }, ...order }: DownloadList,
  count: number,
  options: QueryOptions,
): Promise<Sql> {
  const [last] = await clickhouse.rows<{ bound: string | number }>(
    sql`
      SELECT ${order.sort.key} AS bound FROM ${sortable(from, order.sort)} WHERE ${where} ORDER BY bound ${inDirection(order.direction)} LIMIT 1 OFFSET ${count - 1}
      SETTINGS max_bytes_before_remerge_sort = ${text(String(keptKeyBytes))}`,
    options,
  )
  return last ? upTo(last.bound, order, where) : where
}
