import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { checkSort } from './checkSort.ts'

type Columns<Column extends string> = readonly Column[] | Readonly<Record<Column, RawBuilder<unknown>>>

/** How a list may be sorted, and how it is sorted unless asked otherwise. */
type Order<Column extends string> = {
  /** The columns that may be asked for: as they are selected, or each with what it is sorted by. */
  sortable: Columns<Column>
  sort: NoInfer<Column>
  direction?: 'asc' | 'desc'
  /** The column that orders rows which are equal otherwise. */
  tie?: string
  /** Where null stands: after all others in either direction, or as the smallest; as the largest if not said. */
  nulls?: 'last' | 'smallest'
}

/** How many rows stand before a page. */
export const rowsBefore = ({ page, size }: Pick<PageQuery, 'page' | 'size'>): number => (page - 1) * size

/**
 * Answers a page of the rows that a query finds, as every list does: the rows in the order asked for, and how many there are
 * on all pages. `toElement` makes of a row what the list shows. Throws 400 for a sort that the list does not know.
 */
export async function listPage<DB, TB extends keyof DB, Row, Column extends string, Element = Row>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, Row>,
  { page, size, ...asked }: PageQuery,
  order: Order<Column>,
  toElement: (row: Row) => Element | Promise<Element> = (row) => row as unknown as Element,
) {
  const { sort = order.sort, direction = order.direction ?? 'asc' } = asked
  checkSort(sort, order.sortable)
  const isDown = direction === 'desc'
  const nullsLast = order.nulls === undefined ? !isDown : order.nulls === 'last' || isDown
  const found = await rows
    .orderBy(sortedBy(order.sortable, sort), (by) =>
      nullsLast ? by[direction]().nullsLast() : by[direction]().nullsFirst(),
    )
    .orderBy(sql.ref(order.tie ?? 'id'), direction)
    .limit(size)
    .offset(rowsBefore({ page, size }))
    .execute()
  const total = await countRows(db, rows)
  return { elements: await Promise.all(found.map(toElement)), page, size, total, sort: sort as string, direction }
}

function sortedBy<Column extends string>(columns: Columns<Column>, sort: Column): RawBuilder<unknown> {
  return 'map' in columns ? sql.ref(sort) : (columns as Readonly<Record<Column, RawBuilder<unknown>>>)[sort]
}

async function countRows<DB, TB extends keyof DB, Row>(db: Db, rows: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const { rows: counted } = await sql<{ total: number }>`SELECT count(*) AS total FROM (${rows}) AS listed`.execute(db)
  return counted[0]?.total ?? 0
}
