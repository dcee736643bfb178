import { rowsBefore } from '#server/platform/crud/listPage.ts'
import { resultWindow } from '#events/entries.ts'
import type { PageQuery } from '#events/contract/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { after, inOrder, type Last, type Order, readCursor, upTo, writeCursor } from './cursor.ts'
import { findPageEnd } from './pageEnd.ts'
import type { Sort } from './sorts.ts'

/**
 * Source of a list; its rows have the columns of a place: `parent_path`, `name`, `volume`, `is_directory`. A `derived`
 * source takes longer to compute than to sort. The selected columns include the place.
 */
type Source = { from: Sql; where: Sql; heavy: boolean; quick?: boolean; derived?: boolean }
type Query = PageQuery & { cursor?: string | undefined }

/** The rows of a page, and the other properties of a list; throws 400 beyond the window, unless a cursor is given. */
export async function readPage<Row>(
  clickhouse: ClickHouse,
  source: Source,
  columns: Sql,
  sort: Sort<string>,
  { page, size, cursor, direction = 'asc' }: Query,
) {
  const pages = Math.ceil(resultWindow / size)
  if (cursor === undefined && page > pages)
    return invalid('page', `must be at most ${pages} for pages of ${size}; use the cursor to continue`)
  const skipped = cursor === undefined ? rowsBefore({ page, size }) : 0
  const start = cursor === undefined ? undefined : after(sort, direction, readCursor(cursor, sort, direction))
  const limited = start ? { ...source, where: sql`${source.where} AND ${start}` } : source
  const [{ found, rest }, total] = await Promise.all([
    readRows<Row>(clickhouse, limited, columns, { sort, direction }, { skipped, size }),
    start && countAll(clickhouse, source),
  ])
  const last = found.length > size ? found[size - 1] : undefined
  return {
    rows: found.slice(0, size) as Row[],
    about: {
      page,
      total: total ?? rest,
      size,
      sort: sort.by,
      direction,
      cursor: last ? writeCursor(sort, direction, last) : null,
    },
  }
}

type Place = { skipped: number; size: number }

/**
 * The rows of a page and one more, which shows that the list continues, and the total count. For whole volumes, the
 * last row's sort key is found first, which takes a third of the time of sorting everything by place too; then the rows
 * up to it are read.
 */
async function readRows<Row>(
  clickhouse: ClickHouse,
  { from, where, heavy, quick = false, derived = false }: Source,
  columns: Sql,
  order: Order,
  place: Place,
): Promise<{ found: (Row & Last)[]; rest: number }> {
  const rows = (condition: Sql) => pageOf(from, condition, columns, order, place)
  if (derived || !heavy) {
    const { rows: found, total } = await clickhouse.limited<Row & Last>(rows(where), { heavy, quick })
    return { found, rest: total }
  }
  const end = await findPageEnd(clickhouse, { from, where, heavy }, order, place.skipped + place.size + 1)
  if (end.total <= place.skipped) return { found: [], rest: end.total }
  const within = end.reached === undefined ? where : upTo(end.reached, order, where)
  return { found: await clickhouse.rows(rows(within), { heavy }), rest: end.total }
}

const pageOf = (from: Sql, where: Sql, columns: Sql, { sort, direction }: Order, { skipped, size }: Place): Sql => sql`
  SELECT ${columns}, ${sort.key} AS sortKey FROM ${from} WHERE ${where}
  ORDER BY ${inOrder(sort, direction)} LIMIT ${size + 1} OFFSET ${skipped}`

async function countAll(clickhouse: ClickHouse, { from, where, heavy }: Source): Promise<number> {
  const { total } = await clickhouse.one<{ total: number }>(sql`SELECT count() AS total FROM ${from} WHERE ${where}`, {
    heavy,
  })
  return total
}
