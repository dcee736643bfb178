import type { contentsOfFolder, FolderContents } from '#events/browse.ts'
import type { Input } from '#events/endpoint.ts'
import type { EntrySummary, SummaryPage } from '#events/entries.ts'
import {
  childrenOf,
  inOrder,
  type Last,
  type Meant,
  type Order,
  orderOf,
  summaryColumns,
  type SummaryRecord,
  type Usual,
  writeCursor,
} from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/sql.ts'
import { shownIn } from './childrenIn.ts'
import { meantIn } from './meantIn.ts'
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
  const { path, size, showHiddenDirectories } = asked
  const isShown = shownIn(path, showHiddenDirectories)
  const meant = await meantIn(db, asked, sql`parent_path = ${childrenOf(path)} AND (NOT is_directory OR ${isShown})`)
  const order = orderOf(asked, usual, meant.snapshot)
  const beginningOf = (source: Meant) =>
    summariesIn(clickhouse, meant.snapshot, asked, readBeginning(clickhouse, source, order, size))
  const both = await beginningOf(meant)
  const folders = both.elements.filter((entry) => entry.isDirectory).length
  const indexingDate = meant.snapshot.indexingDate || null
  const about = { page: 1, size, sort: order.sort.by, direction: order.direction, indexingDate }
  const listOf = (beginning: Beginning, isDirectory: boolean, total: number): SummaryPage => ({
    ...about,
    ...listFrom(beginning, isDirectory, total, order),
  })
  if (folders < size) return { folders: listOf(both, true, folders), files: listOf(both, false, both.total - folders) }
  const files = await beginningOf({ ...meant, where: sql`${meant.where} AND NOT is_directory` })
  return { folders: listOf(both, true, both.total - files.total), files: listOf(files, false, files.total) }
}

type Beginning = { rows: Last[]; elements: EntrySummary[]; total: number }

const readBeginning = (clickhouse: ClickHouse, { from, where }: Meant, { sort, direction }: Order, size: number) =>
  clickhouse.limited<SummaryRecord & Last>(
    sql`SELECT ${summaryColumns}, ${sort.key} AS sortKey FROM ${from} WHERE ${where}
      ORDER BY is_directory DESC, ${inOrder(sort, direction)} LIMIT ${size}`,
    { quick: true },
  )

/** The folders, or the files, of what was read, how many there are, and where they go on. */
function listFrom(beginning: Beginning, isDirectory: boolean, total: number, { sort, direction }: Order) {
  const elements = beginning.elements.filter((entry) => entry.isDirectory === isDirectory)
  const last = beginning.rows.findLast((row) => row.is_directory === isDirectory)
  return { elements, total, cursor: last && elements.length < total ? writeCursor(sort, direction, last) : null }
}
