import type { contentsOfFolder, FolderContents } from '#events/browse.ts'
import type { Input } from '#events/endpoint.ts'
import type { EntrySummary, SummaryPage } from '#events/entries.ts'
import {
  childrenOf,
  inOrder,
  inStorages,
  type Last,
  type Order,
  orderOf,
  summaryColumns,
  type SummaryRecord,
  type Usual,
  writeCursor,
} from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { shownOn, type Snapshot, tablesAt } from '#server/snapshots/index.ts'
import { shownIn } from './childrenIn.ts'
import { mergeRows } from './mergeRows.ts'
import { summariesIn } from './summariesIn.ts'

type Asked = Input<typeof contentsOfFolder>['query']

/**
 * The first `size` of what lies in a folder, folders before files, as two lists. To plan a statement takes the engine longer
 * than to read a page, so both are one. Where folders alone are so many, the files are a statement of their own.
 */
export async function contentsOf(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  asked: Asked,
  usual: Usual,
): Promise<FolderContents> {
  const { path, size, storages, showHiddenDirectories } = asked
  const snapshot = await shownOn(db, asked.indexingDate)
  const shown = inStorages(snapshot, storages)
  const order = orderOf(asked, usual, snapshot)
  const beginningOf = (where: Sql) =>
    summariesIn(clickhouse, snapshot, asked, readBeginning(clickhouse, shown, where, order, size))
  const isChild = sql`parent_path = ${childrenOf(path)}`
  const both = await beginningOf(sql`${isChild} AND (NOT is_directory OR ${shownIn(path, showHiddenDirectories)})`)
  const folders = both.elements.filter((entry) => entry.isDirectory).length
  const indexingDate = snapshot.indexingDate || null
  const about = { page: 1, size, sort: order.sort.by, direction: order.direction, indexingDate }
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

/** Each table is asked by itself: side by side they answer sooner than their union, which takes longer to plan than both. */
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
        sql`SELECT ${summaryColumns}, ${order.sort.key} AS sortKey FROM ${from} WHERE ${where} AND ${condition}
          ORDER BY is_directory DESC, ${inOrder(order.sort, order.direction)} LIMIT ${size}`,
        { quick: true },
      ),
    ),
  )
  const lists = answers.map(({ rows }) => rows)
  return { rows: mergeRows(lists, order).slice(0, size), total: answers.reduce((sum, { total }) => sum + total, 0) }
}

/** The folders, or the files, of what was read, how many there are, and where they go on. */
function listFrom(beginning: Beginning, isDirectory: boolean, total: number, { sort, direction }: Order) {
  const elements = beginning.elements.filter((entry) => entry.isDirectory === isDirectory)
  const last = beginning.rows.findLast((row) => row.is_directory === isDirectory)
  return { elements, total, cursor: last && elements.length < total ? writeCursor(sort, direction, last) : null }
}
