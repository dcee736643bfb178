import type { contentsOfFolder, FolderContents, partOfFolder, PartOfFolder } from '#events/folders/browse.ts'
import type { Input } from '#events/contract/endpoint.ts'
import type { EntrySummary, SummaryPage } from '#events/entries.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import { inOrder, type Last, type Order, sortable, writeCursor } from '#server/content/entries/order.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { type DefaultSort, orderOf, readPage } from '#server/content/entries/listEntries.ts'
import { summaryColumns, type SummaryRecord } from '#server/content/entries/entryRecord.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql, type Sql } from '#server/platform/clickhouse/sql.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import { withPrices } from '#server/content/snapshots/reading/costUnits.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { tablesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { childrenIn, shownIn } from './childrenIn.ts'
import { selectIn, summariesIn } from './selectIn.ts'

type Query = Input<typeof contentsOfFolder>['query']

/**
 * The first `size` folders and the first `size` files in a folder, as two lists. Planning a statement takes the engine
 * longer than reading a page, so both are one statement. If the folders alone fill it, the files need a second
 * statement.
 */
export async function contentsOf(
  { db, clickhouse }: Stores,
  scope: Scope,
  query: Query,
  defaultSort: DefaultSort,
): Promise<FolderContents> {
  const { path, size, storages, showHiddenDirectories } = query
  const snapshot = await withPrices(db, await snapshotOrEmpty(db, scope, query.indexingDate), query.sort)
  const shown = inStorages(snapshot, storages)
  const order = orderOf(query, defaultSort, snapshot)
  const beginningOf = (where: Sql) =>
    summariesIn(clickhouse, snapshot, query, readBeginning(clickhouse, shown, where, order, size))
  const isChild = sql`parent_path = ${childrenOf(path)}`
  const both = await beginningOf(sql`${isChild} AND (NOT is_directory OR ${shownIn(path, showHiddenDirectories)})`)
  const folders = both.elements.filter((entry) => entry.isDirectory).length
  const indexingDate = snapshot.indexingDate || null
  const about = { page: 1, size, sort: order.sort.by, direction: order.direction, indexingDate, ...asOf(shown.volumes) }
  const listOf = (beginning: Beginning, isDirectory: boolean, total: number): SummaryPage => ({
    ...about,
    ...listFrom(beginning, isDirectory, total, order),
  })
  if (folders < size) return { folders: listOf(both, true, folders), files: listOf(both, false, both.total - folders) }
  const files = await beginningOf(sql`${isChild} AND NOT is_directory`)
  return { folders: listOf(both, true, both.total - files.total), files: listOf(files, false, files.total) }
}

type Row = SummaryRecord & Last
type Beginning = { rows: Last[]; elements: EntrySummary[]; total: number }

/**
 * Each table has a separate query: run concurrently, they are faster than their union, whose planning takes longer than
 * both.
 */
async function readBeginning(
  clickhouse: ClickHouse,
  shown: Snapshot,
  condition: Sql,
  order: Order,
  size: number,
): Promise<{ rows: Row[]; total: number }> {
  const answers = await Promise.all(
    tablesAt(shown).map(({ from, where }) =>
      clickhouse.limited<Row>(
        sql`SELECT ${summaryColumns}, ${order.sort.key} AS sortKey FROM ${sortable(from, order.sort)} WHERE ${where} AND ${condition}
          ORDER BY is_directory DESC, ${inOrder(order.sort, order.direction)} LIMIT ${size}`,
        { quick: true },
      ),
    ),
  )
  const lists = answers.map(({ rows }) => rows)
  return { rows: mergeRows(lists, order).slice(0, size), total: answers.reduce((sum, { total }) => sum + total, 0) }
}

/** The folders, or the files, among the rows, with their total count and a cursor. */
function listFrom(beginning: Beginning, isDirectory: boolean, total: number, { sort, direction }: Order) {
  const elements = beginning.elements.filter((entry) => entry.isDirectory === isDirectory)
  const last = beginning.rows.findLast((row) => row.is_directory === isDirectory)
  return { elements, total, cursor: last && elements.length < total ? writeCursor(sort, direction, last) : null }
}

/**
 * Merges the rows of several lists, folders before files. Each list must already have this order, with `inOrder` within
 * each group; the engine compares texts by their bytes in UTF-8.
 */
export function mergeRows<Row extends Last>(lists: readonly Row[][], { direction }: Order): Row[] {
  const rows = lists.flat()
  if (lists.length === 1) return rows
  const sign = direction === 'asc' ? 1 : -1
  // The sort detects ordered runs and merges them.
  return rows.sort(
    (a, b) =>
      Number(b.is_directory) - Number(a.is_directory) ||
      sign * compareKeys(a.sortKey, b.sortKey) ||
      byBytes(a.parent_path, b.parent_path) ||
      byBytes(a.name, b.name) ||
      a.volume - b.volume,
  )
}

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byBytes(String(a), String(b))

/** JavaScript compares UTF-16 units, in which emoji come before some letters. */
const byBytes = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)))

type PartQuery = Input<typeof partOfFolder>['query']

/** A page of the folders, or of the files, directly in a folder, as list rows; throws 400 beyond the window. */
export async function partOf(
  { db, clickhouse }: Stores,
  scope: Scope,
  part: PartOfFolder,
  query: PartQuery,
  defaultSort: DefaultSort,
): Promise<SummaryPage> {
  const { path, showHiddenDirectories } = query
  const isShown = shownIn(path, part === 'files' || showHiddenDirectories)
  const selection = await selectIn(db, scope, query, sql`${childrenIn(path, part)} AND ${isShown}`)
  const { snapshot, volumes = snapshot.volumes } = selection
  const { sort, direction } = orderOf(query, defaultSort, snapshot)
  const reading = readPage<SummaryRecord>(clickhouse, selection, summaryColumns, sort, { ...query, direction })
  const { elements, about } = await summariesIn(clickhouse, snapshot, query, reading)
  return { elements, ...about, indexingDate: snapshot.indexingDate || null, ...asOf(volumes) }
}
