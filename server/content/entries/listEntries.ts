import type { Direction, PageQuery } from '#events/contract/page.ts'
import { type EntrySort, type ListSort, type Entry, resultWindow } from '#events/entries.ts'
import type { SearchPage, Totals } from '#events/search/calls.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, type Sql, typed } from '#server/platform/clickhouse/sql.ts'
import { rowsBefore } from '#server/platform/crud/listPage.ts'
import { invalid } from '#server/platform/problem.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { asEntries, entryColumns, type EntryRecord } from './entryRecord.ts'
import {
  type Order,
  sortBy,
  after,
  inOrder,
  type Last,
  readCursor,
  sortable,
  upTo,
  writeCursor,
  type Sort,
  inDirection,
} from './order.ts'
import { type EntrySelection, queryOptions } from './selectEntries.ts'
import { type CountedTotals, countTotals, type WithSnapshot } from './totals.ts'

/** The sort order of a list without one in the request. */
export type DefaultSort = { sort: EntrySort; direction: Direction }

/** The sort order requested for a list; throws 400 if it is unknown. */
export const orderOf = (
  { sort, direction = sort ? 'asc' : undefined }: { sort?: string | undefined; direction?: Direction | undefined },
  defaultSort: DefaultSort,
  snapshot: Snapshot,
): Order<ListSort> => ({
  sort: sortBy(sort ?? defaultSort.sort, snapshot),
  direction: direction ?? defaultSort.direction,
})

/**
 * A page of the selected entries, in the requested or the default order; throws 400 beyond the window. Has totals if they are given,
 * which use those that were counted with the page.
 */
export async function listEntries(
  clickhouse: ClickHouse,
  selection: EntrySelection,
  query: PageQuery & { cursor?: string | undefined },
  defaultSort: DefaultSort,
  totalsOf?: (counted?: CountedTotals) => Promise<Totals>,
): Promise<SearchPage> {
  const { snapshot } = selection
  const { sort, direction } = orderOf(query, defaultSort, snapshot)
  const columns = selection.deleted === 'each' ? sql`${entryColumns}, is_deleted` : entryColumns
  const isCounted = countsTotals(selection, sort, query)
  const [{ rows, about, counted }, alone] = await Promise.all([
    readPage<EntryRecord>(clickhouse, selection, columns, sort, { ...query, direction }),
    isCounted ? undefined : totalsOf?.(),
  ])
  const [elements, totals = alone] = await Promise.all([
    asEntries(clickhouse, rows, selection),
    isCounted ? totalsOf?.(counted) : undefined,
  ])
  const indexingDate = snapshot.indexingDate || null
  return { elements, ...about, indexingDate, ...asOf(selection.volumes ?? snapshot.volumes), ...(totals && { totals }) }
}

/** The entry of a snapshot that matches a condition; undefined if none does. */
export async function findEntry(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { from = entriesAt(snapshot), where, deleted = false }: { from?: Sql; where: Sql; deleted?: boolean },
): Promise<Entry | undefined> {
  const records = await clickhouse.rows<EntryRecord>(sql`SELECT ${entryColumns} FROM ${from} WHERE ${where} LIMIT 1`)
  const [entry] = await asEntries(clickhouse, records, { snapshot, deleted })
  return entry
}

/** Condition: an entry has this hexadecimal id; answered by the index of ids. */
export const hasId = (fileId: string): Sql => sql`file_id = ${typed(BigInt(`0x${fileId}`).toString(), 'UInt64')}`

/**
 * ListSource of a list; its rows have the columns of a place: `parent_path`, `name`, `volume`, `is_directory`. A `derived`
 * source takes longer to compute than to sort. The selected columns include the place.
 */
type ListSource = WithSnapshot & { quick?: boolean; derived?: boolean }
type Query = PageQuery & { cursor?: string | undefined }

/**
 * The rows of a page, and the other properties of a list; throws 400 beyond the window, unless a cursor is given. `counted` are the totals
 * of the list if its rows were found by counting them.
 */
export async function readPage<Row>(
  clickhouse: ClickHouse,
  source: ListSource,
  columns: Sql,
  sort: Sort<string>,
  { page, size, cursor, direction = 'asc' }: Query,
) {
  const pages = Math.ceil(resultWindow / size)
  if (cursor === undefined && page > pages)
    return invalid('page', `must be at most ${pages} for pages of ${size}; use the cursor to continue`)
  const skipped = cursor === undefined ? rowsBefore({ page, size }) : 0
  const start = cursor === undefined ? undefined : after(sort, direction, readCursor(cursor, sort, direction))
  const from = sortable(source.from, sort)
  const limited = { ...source, from, where: start ? sql`${source.where} AND ${start}` : source.where }
  const [{ found, rest, counted }, total] = await Promise.all([
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
    counted: start ? undefined : counted,
  }
}

/** True if `readPage` counts the totals of a list. */
const countsTotals = ({ heavy }: ListSource, sort: Sort<string>, { cursor }: Query): boolean =>
  heavy === true && sort.kind === 'number' && cursor === undefined

type Range = { skipped: number; size: number }

/**
 * The rows of a page and one more, which shows that the list continues, and the total count. For whole volumes, the
 * last row's sort key is found first, which takes a third of the time of sorting everything by place too; then the rows
 * up to it are read.
 */
async function readRows<Row>(
  clickhouse: ClickHouse,
  source: ListSource,
  columns: Sql,
  order: Order,
  range: Range,
): Promise<{ found: (Row & Last)[]; rest: number; counted?: CountedTotals | undefined }> {
  const { from, where, heavy, quick = false, derived = false } = source
  const rows = (condition: Sql) => pageOf(from, condition, columns, order, range)
  if (derived || !heavy) {
    const { rows: found, total } = await clickhouse.limited<Row & Last>(rows(where), { heavy, quick })
    return { found, rest: total }
  }
  const end = await findPageEnd(clickhouse, source, order, range.skipped + range.size + 1)
  const { total: rest, counted, reached } = end
  if (rest <= range.skipped) return { found: [], rest, counted }
  const within = reached === undefined ? where : upTo(reached, order, where)
  return { found: await clickhouse.rows(rows(within), { heavy }), rest, counted }
}

const pageOf = (from: Sql, where: Sql, columns: Sql, { sort, direction }: Order, { skipped, size }: Range): Sql => sql`
  SELECT ${columns}, ${sort.key} AS sortKey FROM ${from} WHERE ${where}
  ORDER BY ${inOrder(sort, direction)} LIMIT ${size + 1} OFFSET ${skipped}`

async function countAll(clickhouse: ClickHouse, { from, where, heavy }: ListSource): Promise<number> {
  const { total } = await clickhouse.one<{ total: number }>(sql`SELECT count() AS total FROM ${from} WHERE ${where}`, {
    heavy,
  })
  return total
}

type Key = string | number

/** The total number of entries, with their totals if they were counted, and the sort key of entry number `count`, if there is one. */
type PageEnd = { total: number; counted?: CountedTotals; reached: Key | undefined }

/** Finds the end of the first `count` entries by the sort key alone. */
const findPageEnd = (clickhouse: ClickHouse, source: WithSnapshot, order: Order, count: number): Promise<PageEnd> =>
  order.sort.kind === 'number'
    ? amongNumbers(clickhouse, source, order, count)
    : amongTexts(clickhouse, source, order, count)

/** The same read returns the totals. */
async function amongNumbers(
  clickhouse: ClickHouse,
  source: WithSnapshot,
  order: Order,
  count: number,
): Promise<PageEnd> {
  const rising = order.direction === 'asc'
  const key = rising ? order.sort.key : sql`negate(${order.sort.key})`
  const { last, ...counted } = await countTotals<{ last: number | null }>(clickhouse, source, { key, count })
  return { total: counted.count, counted, reached: last === null ? undefined : rising ? last : -last }
}

/** Texts are sorted: keeping the first ones in an aggregate takes three times as long. */
async function amongTexts(clickhouse: ClickHouse, source: WithSnapshot, order: Order, count: number): Promise<PageEnd> {
  const { from, where } = source
  const { rows, total } = await clickhouse.limited<{ reached: string }>(
    sql`
      SELECT ${order.sort.key} AS reached FROM ${from} WHERE ${where}
      ORDER BY reached ${inDirection(order.direction)} LIMIT 1 OFFSET ${count - 1}`,
    queryOptions(source),
  )
  return { total, reached: rows[0]?.reached }
}
