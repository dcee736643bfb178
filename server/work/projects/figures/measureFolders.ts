import type { ProjectStatistics } from '#events/projects/calls.ts'
import { billedBytes } from '#server/content/snapshots/reading/billedBytes.ts'
import { childrenOf, knownSeconds } from '#server/content/entries/conditions.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { rowsAt } from '#server/content/entries/places.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { countFiles, type FileCounts, type Folders } from './countFiles.ts'

/**
 * Figures of a folder on a date; undefined if the date doesn't have it. Bytes by the size basis of the storage, except `apparentBytes`;
 * seconds UTC, null if unknown.
 */
export type FolderFigures = {
  path: string
  isThere: boolean
  bytes: number
  apparentBytes: number
  /** Bytes by storage class, adding up to the total; empty if no file has a class. */
  classBytes: Record<string, number>
  files: number
  folders: number
  lastAccess: number | null
  lastModified: number | null
  statistics: ProjectStatistics
}

/** Folders per query: with more, its text exceeds the engine's limit. */
const foldersAtOnce = 1_000

/**
 * Figures of a volume's folders on a date: sizes from the folders' rows; ages, duplicates and storage classes counted
 * from their files.
 */
export async function measureFolders(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { volumeId, paths }: Folders,
  signal?: AbortSignal,
): Promise<FolderFigures[]> {
  const measured: FolderFigures[] = []
  for (let from = 0; from < paths.length; from += foldersAtOnce) {
    const some = paths.slice(from, from + foldersAtOnce)
    const [rows, counts] = await Promise.all([
      readFolders(clickhouse, snapshot, { volumeId, paths: some }),
      countFiles(clickhouse, snapshot, { volumeId, paths: some }, signal),
    ])
    measured.push(...counts.map((count, i) => measuredOf(some[i] as string, rows, count)))
  }
  return measured
}

type FolderRow = Omit<FolderFigures, 'path' | 'statistics' | 'classBytes'>
const gone: FolderRow = {
  isThere: false,
  bytes: 0,
  apparentBytes: 0,
  files: 0,
  folders: 0,
  lastAccess: null,
  lastModified: null,
}

function measuredOf(path: string, rows: Map<string, FolderRow>, { classes, statistics }: FileCounts): FolderFigures {
  const row = rows.get(path) ?? gone
  return { ...row, path, statistics, classBytes: wholeOf(classes, row.bytes) }
}

/** Bytes of a folder without file rows, as in folders indexed without files, belong to no class. */
function wholeOf(classes: Record<string, number>, bytes: number): Record<string, number> {
  const known = Object.values(classes).reduce((sum, size) => sum + size, 0)
  return known === 0 || known >= bytes ? classes : { ...classes, '': (classes[''] ?? 0) + bytes - known }
}

async function readFolders(clickhouse: ClickHouse, snapshot: Snapshot, { volumeId, paths }: Folders) {
  const { from, where } = sourceAt(inStorages(snapshot, [volumeId]))
  const places = paths.map((path) => ({ volumeId, path: childrenOf(path).slice(0, -1), isDirectory: true }))
  const columns = sql`toFloat64(${billedBytes(snapshot)}) AS bytes, toFloat64(size) AS apparentBytes, toFloat64(files) AS files, toFloat64(folders) AS folders,
    ${knownSeconds('accessed_below', snapshot)} AS lastAccess,
    ${knownSeconds('modified_below', snapshot)} AS lastModified`
  const rows = await rowsAt<FolderRow>(clickhouse, places, { columns, from, where: sql`is_directory AND ${where}` })
  return new Map(
    rows.map(({ path, bytes, apparentBytes, files, folders, lastAccess, lastModified }) => [
      path || '/',
      { isThere: true, bytes, apparentBytes, files, folders, lastAccess, lastModified },
    ]),
  )
}
