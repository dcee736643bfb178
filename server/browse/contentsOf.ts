import type { contentsOfFolder, FolderContents } from '#events/browse.ts'
import type { Input } from '#events/endpoint.ts'
import type { EntrySummary, SummaryPage } from '#events/entries.ts'
import {
  asSummaries,
  childrenOf,
  inOrder,
  inStorages,
  type Last,
  type Meant,
  type Order,
  orderOf,
  summaryColumns,
  type SummaryRecord,
  tagsIn,
  type Usual,
  writeCursor,
} from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/sql.ts'
import { shownIn } from './childrenIn.ts'
import { meantIn } from './meantIn.ts'

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
  const { path, size, showHiddenDirectories, storages } = asked
  const parentPath = childrenOf(path)
  const isShown = shownIn(path, showHiddenDirectories)
  const meant = await meantIn(db, asked, sql`parent_path = ${parentPath} AND (NOT is_directory OR ${isShown})`)
  const volumes = inStorages(meant.snapshot, storages).volumes.map(({ volumeId }) => volumeId)
  const contents = { ...meant, volumes, parentPath }
  const order = orderOf(asked, usual, meant.snapshot)
  const both = await beginningOf(clickhouse, contents, order, size)
  const folders = both.entries.filter((entry) => entry.isDirectory).length
  const indexingDate = meant.snapshot.indexingDate || null
  const about = { page: 1, size, sort: order.sort.by, direction: order.direction, indexingDate }
  const listOf = (beginning: Beginning, isDirectory: boolean, total: number): SummaryPage => ({
    ...about,
    ...listFrom(beginning, isDirectory, total, order),
  })
  if (folders < size) return { folders: listOf(both, true, folders), files: listOf(both, false, both.total - folders) }
  const onlyFiles = { ...contents, where: sql`${contents.where} AND NOT is_directory` }
  const files = await beginningOf(clickhouse, onlyFiles, order, size)
  return { folders: listOf(both, true, both.total - files.total), files: listOf(files, false, files.total) }
}

type Contents = Meant & { volumes: number[]; parentPath: string }
type Beginning = { rows: Last[]; entries: EntrySummary[]; total: number }

/** Their tags are asked for by the folder, beside them. */
async function beginningOf(
  clickhouse: ClickHouse,
  contents: Contents,
  { sort, direction }: Order,
  size: number,
): Promise<Beginning> {
  const { from, where, snapshot } = contents
  const [{ rows, total }, tags] = await Promise.all([
    clickhouse.limited<SummaryRecord & Last>(
      sql`SELECT ${summaryColumns}, ${sort.key} AS sortKey FROM ${from} WHERE ${where}
        ORDER BY is_directory DESC, ${inOrder(sort, direction)} LIMIT ${size}`,
      { quick: true },
    ),
    tagsIn(clickhouse, contents),
  ])
  return { rows, entries: await asSummaries(clickhouse, rows, snapshot, tags), total }
}

/** The folders, or the files, of what was read, how many there are, and where they go on. */
function listFrom({ rows, entries }: Beginning, isDirectory: boolean, total: number, { sort, direction }: Order) {
  const elements = entries.filter((entry) => entry.isDirectory === isDirectory)
  const last = rows.findLast((row) => row.is_directory === isDirectory)
  return { elements, total, cursor: last && elements.length < total ? writeCursor(sort, direction, last) : null }
}
