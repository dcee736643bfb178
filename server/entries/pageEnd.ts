import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { queryOptions, type Source } from './queryOptions.ts'
import { inDirection, type Order } from './cursor.ts'
import { shareTotals, totalColumns, type Totals } from './totals.ts'

type Key = string | number

/** The total number of entries, and the sort key of entry number `count`, if there is one. */
export type PageEnd = { total: number; reached: Key | undefined }

/** Finds the end of the first `count` entries by the sort key alone. */
export const findPageEnd = (clickhouse: ClickHouse, source: Source, order: Order, count: number): Promise<PageEnd> =>
  order.sort.kind === 'number'
    ? amongNumbers(clickhouse, source, order, count)
    : amongTexts(clickhouse, source, order, count)

/** The same read returns the totals, which screens request along with a page. */
async function amongNumbers(clickhouse: ClickHouse, source: Source, order: Order, count: number): Promise<PageEnd> {
  const { key } = order.sort
  const rising = order.direction === 'asc'
  const first = sql`groupArraySorted(${text(String(count))})(${rising ? key : sql`negate(${key})`})`
  const counting = clickhouse.one<Totals & { last: number }>(
    sql`SELECT ${totalColumns}, ${first}[${count}] AS last FROM ${source.from} WHERE ${source.where}`,
    queryOptions(source),
  )
  shareTotals(clickhouse, source, counting)
  const { count: total, last } = await counting
  return { total, reached: total < count ? undefined : rising ? last : -last }
}

/** Texts are sorted: keeping the first ones in an aggregate takes three times as long. */
async function amongTexts(clickhouse: ClickHouse, source: Source, order: Order, count: number): Promise<PageEnd> {
  const { from, where } = source
  const { rows, total } = await clickhouse.limited<{ reached: string }>(
    sql`
      SELECT ${order.sort.key} AS reached FROM ${from} WHERE ${where}
      ORDER BY reached ${inDirection(order.direction)} LIMIT 1 OFFSET ${count - 1}`,
    queryOptions(source),
  )
  return { total, reached: rows[0]?.reached }
}
