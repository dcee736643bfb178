import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { checkSort } from './checkSort.ts'

type Columns<Column extends string> = readonly Column[] | Readonly<Record<Column, RawBuilder<unknown>>>

/** Sort options of a list and its default order. */
type Order<Column extends string> = {
  /** The sortable columns: as they are selected, or each with its sort expression. */
  sortable: Columns<Column>
  sort: NoInfer<Column>
  direction?: 'asc' | 'desc'
  /** Column that orders otherwise equal rows. */
  tie?: string
  /**
   * Position of nulls: after all other rows in either direction, or as the smallest value; by default as the largest.
   */
  nulls?: 'last' | 'smallest'
}

/** Sort expression of a text, in the order of people: without regard to case, numbers by their value. */
export const textOrder = (column: string): RawBuilder<unknown> => sql`lower(${sql.ref(column)}) COLLATE name_order`

/** Number of rows before a page. */
export const rowsBefore = ({ page, size }: Pick<PageQuery, 'page' | 'size'>): number => (page - 1) * size

type PageAnswer<Element> = Promise<{
  elements: Element[]
  page: number
  size: number
  total: number
  sort: string
  direction: 'asc' | 'desc'
}>
type Rows<DB, TB extends keyof DB, Row> = SelectQueryBuilder<DB, TB, Row>

/**
 * Returns a page of a query's rows in the requested order, and the total count. `toElement` converts a row for the
 * list. Throws 400 for an unknown sort column.
 */
export async function listPage<DB, TB extends keyof DB, Row, Column extends string, Element>(
  db: Db,
  rows: Rows<DB, TB, Row>,
  query: PageQuery,
  order: Order<Column>,
  toElement: (row: Row) => Element | Promise<Element>,
): PageAnswer<Element>
export async function listPage<DB, TB extends keyof DB, Row, Column extends string>(
  db: Db,
  rows: Rows<DB, TB, Row>,
  query: PageQuery,
  order: Order<Column>,
): PageAnswer<Row>
export async function listPage<DB, TB extends keyof DB, Row, Column extends string>(
  db: Db,
  rows: Rows<DB, TB, Row>,
  { page, size, ...requested }: PageQuery,
  order: Order<Column>,
  toElement: (row: Row) => unknown = (row) => row,
): PageAnswer<unknown> {
  const { sort = order.sort, direction = order.direction ?? 'asc' } = requested
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
