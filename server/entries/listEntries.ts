import { type EntryPage, type EntrySort, resultWindow } from '#events/entries.ts'
import type { PageQuery } from '#events/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { invalid } from '#server/platform/problem.ts'
import { sql } from '#server/platform/sql.ts'
import { asEntries } from './asEntries.ts'
import { after, inOrder, type Last, readCursor, writeCursor } from './cursor.ts'
import { entryColumns, type EntryRecord } from './entryRecord.ts'
import type { Meant } from './meantEntries.ts'
import { sortBy } from './sorts.ts'

type Asked = PageQuery & { cursor?: string | undefined }
type Row = EntryRecord & Last

/** A page of the entries that are meant, as asked or by the default sort; throws 400 beyond the window. */
export async function listEntries(
  clickhouse: ClickHouse,
  meant: Meant,
  asked: Asked,
  usual: { sort: EntrySort; direction: 'asc' | 'desc' },
): Promise<EntryPage> {
  const { page, size, cursor, direction = asked.sort ? 'asc' : usual.direction } = asked
  const { snapshot, from, where, heavy } = meant
  const sort = sortBy(asked.sort ?? usual.sort, snapshot)
  const pages = Math.ceil(resultWindow / size)
  if (page > pages) return invalid('page', `must be at most ${pages} for pages of ${size}; a cursor goes on`)
  const start = cursor === undefined ? sql`1` : after(sort, direction, readCursor(cursor, sort, direction))
  const skipped = cursor === undefined ? (page - 1) * size : 0
  const [rows, { total }] = await Promise.all([
    clickhouse.rows<Row>(
      sql`
        SELECT ${entryColumns}, ${sort.key} AS sortKey FROM ${from} WHERE ${where} AND ${start}
        ORDER BY ${inOrder(sort, direction)} LIMIT ${size + 1} OFFSET ${skipped}`,
      { heavy },
    ),
    clickhouse.one<{ total: number }>(sql`SELECT count() AS total FROM ${from} WHERE ${where}`, { heavy }),
  ])
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return {
    elements: await asEntries(
      clickhouse,
      shown.map(({ sortKey: _, ...record }) => record),
      meant,
    ),
    page,
    total,
    size,
    sort: sort.by,
    direction,
    indexingDate: snapshot.indexingDate || null,
    cursor: last ? writeCursor(sort, direction, last) : null,
  }
}
