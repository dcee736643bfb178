import {
  type Difference,
  type DifferencePage,
  type DifferenceSort,
  differenceSorts,
  type KindOfChange,
} from '#events/comparison.ts'
import type { Entry } from '#events/entries.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { asEntries, asNumbers, entryColumns, type EntryRecord } from '#server/content/entries/entryRecord.ts'
import { type PlaceColumns, placeColumns } from '#server/content/entries/places.ts'
import { readPage } from '#server/content/entries/listEntries.ts'
import { asName, type Sort } from '#server/content/entries/order.ts'
import { pathText, searchText } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { chunksOf } from '#server/platform/clickhouse/chunks.ts'
import { checkSort } from '#server/platform/crud/checkSort.ts'
import { all, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { ComparedSnapshots } from './comparedVolumes.ts'
import { differences } from './differences.ts'
import { type GrowthPart, isOfPart } from './isOfPart.ts'

type Query = PageQuery & GrowthPart & { cursor?: string | undefined; path: string; kind: KindOfChange[] }

/** A difference as read: the entry, its date, and the kind of change. */
type Row = PlaceColumns & {
  fileId: string
  kind: KindOfChange
  isHere: boolean
  oldPath: string
  previousSize: number | null
  delta: number | null
}

const columns = sql`
  ${placeColumns}, leftPad(lower(hex(file_id)), 16, '0') AS fileId, kind, is_here AS isHere, old_path AS oldPath,
  if(was_here, old_size, NULL) AS previousSize, delta`

/** A page of the files, or of the folders, that differ. */
export async function listDifferences(
  clickhouse: ClickHouse,
  compared: ComparedSnapshots,
  kind: 'files' | 'folders',
  query: Query,
): Promise<DifferencePage> {
  const { direction = query.sort ? 'asc' : 'desc' } = query
  const sort = sortBy(query.sort ?? 'change')
  const isKind = kind === 'files' ? sql`NOT is_directory` : sql`is_directory`
  const { owner, extension } = query
  const where = all([
    isKind,
    ...(query.kind.length > 0 ? [sql`kind IN ${query.kind}`] : []),
    ...(owner !== undefined || extension !== undefined ? [isOfPart(compared, { owner, extension })] : []),
  ])
  const source = await differences(clickhouse, compared, query.path)
  const { rows, about } = await readPage<Row>(
    clickhouse,
    { ...source, where, snapshot: compared.now, derived: true },
    columns,
    sort,
    {
      ...query,
      direction,
    },
  )
  const { now, previous } = compared
  return {
    elements: await asDifferences(clickhouse, compared, rows),
    ...about,
    indexingDate: now.indexingDate || null,
    previousIndexingDate: previous.indexingDate || null,
  }
}

function sortBy(by: string): Sort<DifferenceSort> {
  checkSort(by, differenceSorts)
  const keys = {
    change: { kind: 'number', key: sql`abs(ifNull(delta, 0))` },
    delta: { kind: 'number', key: sql`ifNull(delta, 0)` },
    size: { kind: 'number', key: sql`if(is_here, size, -1)` },
    previousSize: { kind: 'number', key: sql`if(was_here, old_size, -1)` },
    name: asName(searchText(sql`name`)),
    path: asName(pathText),
    kind: { kind: 'text', key: sql`kind` },
  } as const satisfies Record<DifferenceSort, Omit<Sort<DifferenceSort>, 'by'>>
  return { by, ...keys[by] }
}

/** Returns the entries of the later date, and of the earlier date for removed ones. */
async function asDifferences(clickhouse: ClickHouse, compared: ComparedSnapshots, rows: Row[]): Promise<Difference[]> {
  const [here, gone] = await Promise.all([
    readEntries(
      clickhouse,
      compared.now,
      rows.filter(({ isHere }) => isHere),
    ),
    readEntries(
      clickhouse,
      compared.previous,
      rows.filter(({ isHere }) => !isHere),
    ),
  ])
  const entries = new Map([...here, ...gone].map((entry) => [entry.fileId, entry]))
  return rows.flatMap(({ fileId, kind, isHere, oldPath, previousSize, delta }) => {
    const entry = entries.get(fileId)
    if (!entry) return []
    const own = { previousPath: kind === 'MOVED' ? oldPath : '', deleted: kind === 'REMOVED' }
    return [{ ...entry, ...own, ...(!isHere && { size: -1 }), kind, previousSize, delta }]
  })
}

async function readEntries(clickhouse: ClickHouse, snapshot: Snapshot, rows: Row[]): Promise<Entry[]> {
  const read = (piece: Row[]) =>
    clickhouse.rows<EntryRecord>(sql`
      SELECT ${entryColumns} FROM ${entriesAt(snapshot)}
      WHERE parent_path IN ${[...new Set(piece.map(({ parent_path }) => parent_path))]}
        AND file_id IN ${asNumbers(piece.map(({ fileId }) => fileId))}`)
  const records = await Promise.all(chunksOf(rows, ({ parent_path }) => parent_path).map(read))
  return asEntries(clickhouse, records.flat(), { snapshot, deleted: false, quick: true })
}
