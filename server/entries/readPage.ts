import { resultWindow } from '#events/entries.ts'
import type { Direction, PageQuery } from '#events/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { after, cursorColumns, inOrder, type Last, readCursor, writeCursor } from './cursor.ts'
import type { Sort } from './sorts.ts'

/** What a list is read from; its rows have the columns of a place: `parent_path`, `name`, `volume`, `is_directory`. */
type Source = { from: Sql; where: Sql; heavy: boolean }
type Asked = PageQuery & { cursor?: string | undefined }

/** The rows of a page, and all that a list says beside them; throws 400 beyond the window. */
export async function readPage<Row>(
  clickhouse: ClickHouse,
  { from, where, heavy }: Source,
  columns: Sql,
  sort: Sort<string>,
  { page, size, cursor, direction = 'asc' }: Asked,
) {
  const pages = Math.ceil(resultWindow / size)
  if (page > pages) return invalid('page', `must be at most ${pages} for pages of ${size}; a cursor goes on`)
  const start = cursor === undefined ? sql`1` : after(sort, direction, readCursor(cursor, sort, direction))
  const skipped = cursor === undefined ? (page - 1) * size : 0
  const within = sql`${where} AND ${start}`
  const [found, { total }] = await Promise.all([
    clickhouse.rows<Row & Last>(
      sql`
        SELECT ${columns}, ${cursorColumns(sort)} FROM ${from}
        WHERE ${within} AND ${reachedBy(skipped + size + 1, { from, where: within }, sort, direction)}
        ORDER BY ${inOrder(sort, direction)} LIMIT ${size + 1} OFFSET ${skipped}`,
      { heavy },
    ),
    clickhouse.one<{ total: number }>(sql`SELECT count() AS total FROM ${from} WHERE ${where}`, { heavy }),
  ])
  const shown = found.slice(0, size)
  const last = found.length > size ? shown.at(-1) : undefined
  return {
    rows: shown as Row[],
    about: { page, total, size, sort: sort.by, direction, cursor: last ? writeCursor(sort, direction, last) : null },
  }
}

/**
 * Whether the sort key is among the first ones: the key alone says how far a page reaches, and only what lies within is
 * read whole and sorted by its place as well. Of ten million entries that takes a twentieth of the time.
 */
function reachedBy(
  count: number,
  { from, where }: Pick<Source, 'from' | 'where'>,
  { key }: Sort<string>,
  direction: Direction,
): Sql {
  const keys = sql`SELECT ${key} AS reached FROM ${from} WHERE ${where} ORDER BY reached`
  return direction === 'asc'
    ? sql`${key} <= (SELECT max(reached) FROM (${keys} ASC LIMIT ${count}))`
    : sql`${key} >= (SELECT min(reached) FROM (${keys} DESC LIMIT ${count}))`
}
