import { resultWindow } from '#events/entries.ts'
import type { PageQuery } from '#events/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { after, inOrder, type Last, readCursor, writeCursor } from './cursor.ts'
import type { Sort } from './sorts.ts'

/** What a list is read from; rows have `parent_path`, `name` and `file_id`, by which every order ends. */
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
  const [found, { total }] = await Promise.all([
    clickhouse.rows<Row & Last>(
      sql`
        SELECT ${columns}, ${sort.key} AS sortKey FROM ${from} WHERE ${where} AND ${start}
        ORDER BY ${inOrder(sort, direction)} LIMIT ${size + 1} OFFSET ${skipped}`,
      { heavy },
    ),
    clickhouse.one<{ total: number }>(sql`SELECT count() AS total FROM ${from} WHERE ${where}`, { heavy }),
  ])
  const shown = found.slice(0, size)
  const last = found.length > size ? shown.at(-1) : undefined
  return {
    rows: shown.map(({ sortKey: _, ...row }) => row as Row),
    about: {
      ...{ page, total, size, sort: sort.by, direction },
      cursor: last ? writeCursor(sort, direction, last) : null,
    },
  }
}
