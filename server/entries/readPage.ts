import { resultWindow } from '#events/entries.ts'
import type { Direction, PageQuery } from '#events/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { after, cursorColumns, inDirection, inOrder, keyValue, type Last, readCursor, writeCursor } from './cursor.ts'
import type { Sort } from './sorts.ts'

/**
 * What a list is read from; its rows have the columns of a place: `parent_path`, `name`, `volume`, `is_directory`. What is
 * `derived` takes longer to work out than to sort.
 */
type Source = { from: Sql; where: Sql; heavy: boolean; derived?: boolean }
type Asked = PageQuery & { cursor?: string | undefined }

/** The rows of a page, and all that a list says beside them; throws 400 beyond the window. */
export async function readPage<Row>(
  clickhouse: ClickHouse,
  source: Source,
  columns: Sql,
  sort: Sort<string>,
  { page, size, cursor, direction = 'asc' }: Asked,
) {
  const pages = Math.ceil(resultWindow / size)
  if (page > pages) return invalid('page', `must be at most ${pages} for pages of ${size}; a cursor goes on`)
  const skipped = cursor === undefined ? (page - 1) * size : 0
  const start = cursor === undefined ? undefined : after(sort, direction, readCursor(cursor, sort, direction))
  const order = { sort, direction }
  const [reach, total] = await Promise.all([
    findReach(
      clickhouse,
      start ? { ...source, where: sql`${source.where} AND ${start}` } : source,
      order,
      skipped + size,
    ),
    start && countAll(clickhouse, source),
  ])
  const found = await readWithin<Row>(clickhouse, reach, columns, order, { skipped, size })
  const last = found.length > size ? found[size - 1] : undefined
  return {
    rows: found.slice(0, size) as Row[],
    about: {
      page,
      total: total ?? reach.total,
      size,
      sort: sort.by,
      direction,
      cursor: last ? writeCursor(sort, direction, last) : null,
    },
  }
}

type Order = { sort: Sort<string>; direction: Direction }
type Reach = Source & { total: number }

/**
 * Finds the sort key of the last entry that a page needs, and how many entries there are in all: of ten million entries
 * that takes a twentieth of the time of sorting them by their place as well. What lies within is then read whole.
 */
async function findReach(clickhouse: ClickHouse, source: Source, order: Order, index: number): Promise<Reach> {
  const { from, where, heavy } = source
  const { sort, direction } = order
  const { rows, total } = await clickhouse.limited<{ reached: string | number }>(
    sql`
      SELECT ${sort.key} AS reached FROM ${from} WHERE ${where}
      ORDER BY reached ${inDirection(direction)} LIMIT 1 OFFSET ${index}`,
    { heavy },
  )
  const [last] = rows
  if (!last) return { ...source, total }
  const reached = keyValue(sort, last.reached)
  const within = direction === 'asc' ? sql`${sort.key} <= ${reached}` : sql`${sort.key} >= ${reached}`
  return { from, where: sql`${within} AND ${where}`, heavy, total }
}

/** The rows of a page and one more, which tells that the list goes on. */
async function readWithin<Row>(
  clickhouse: ClickHouse,
  { from, where, heavy, total }: Reach,
  columns: Sql,
  { sort, direction }: Order,
  { skipped, size }: { skipped: number; size: number },
): Promise<(Row & Last)[]> {
  if (total <= skipped) return []
  return clickhouse.rows(
    sql`
      SELECT ${columns}, ${cursorColumns(sort)} FROM ${from} WHERE ${where}
      ORDER BY ${inOrder(sort, direction)} LIMIT ${size + 1} OFFSET ${skipped}`,
    { heavy },
  )
}

async function countAll(clickhouse: ClickHouse, { from, where, heavy }: Source): Promise<number> {
  const { total } = await clickhouse.one<{ total: number }>(sql`SELECT count() AS total FROM ${from} WHERE ${where}`, {
    heavy,
  })
  return total
}
