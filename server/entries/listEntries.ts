import type { EntrySort, ListSort, Entry } from '#events/entries.ts'
import type { SearchPage, Totals } from '#events/search/calls.ts'
import type { Direction, PageQuery } from '#events/contract/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, type Sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { asEntries, entryColumns, type EntryRecord } from './entryRecord.ts'
import { type Order, sortBy } from './order.ts'
import type { EntrySelection } from './selectEntries.ts'
import { countsTotals, readPage } from './page.ts'
import type { CountedTotals } from './totals.ts'
import { entriesAt } from '#server/snapshots/reading/entriesAt.ts'

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
  return { elements, ...about, indexingDate: snapshot.indexingDate || null, ...(totals && { totals }) }
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
