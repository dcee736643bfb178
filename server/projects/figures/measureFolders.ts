import { type Counted, projectAges, type ProjectStatistics } from '#events/projects/calls.ts'
import { firstDaysOfAges } from '#events/storages.ts'
import { below, inStorages, isFolder, knownSeconds } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { startOfDay } from '#server/platform/days.ts'
import { duplicateHashes, type Snapshot, sourceAt } from '#server/snapshots/index.ts'

/** What a folder holds on a date; nothing where the date has none. Bytes; seconds UTC, null is unknown. */
export type Measured = {
  path: string
  isThere: boolean
  bytes: number
  files: number
  folders: number
  lastAccess: number | null
  lastModified: number | null
  statistics: ProjectStatistics
}

/** Folders of one question: each is looked for in every row that lies below any of them. */
const foldersAtOnce = 100

/** What folders of one volume hold on a date: their sizes as their rows have them, ages and duplicates counted from their files. */
export async function measureFolders(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { volumeId, paths }: { volumeId: number; paths: string[] },
  signal?: AbortSignal,
): Promise<Measured[]> {
  const measured: Measured[] = []
  for (let from = 0; from < paths.length; from += foldersAtOnce) {
    const some = paths.slice(from, from + foldersAtOnce)
    const [rows, counts] = await Promise.all([
      readFolders(clickhouse, inStorages(snapshot, [volumeId]), some, signal),
      countFiles(clickhouse, snapshot, { volumeId, paths: some }, signal),
    ])
    measured.push(
      ...some.map((path, i) => ({ ...(rows.get(path) ?? gone), path, statistics: statisticsOf(counts[i]) })),
    )
  }
  return measured
}

type FolderRow = Omit<Measured, 'path' | 'statistics'>
const gone: FolderRow = { isThere: false, bytes: 0, files: 0, folders: 0, lastAccess: null, lastModified: null }

async function readFolders(clickhouse: ClickHouse, snapshot: Snapshot, paths: string[], signal?: AbortSignal) {
  const { from, where } = sourceAt(snapshot)
  const rows = await clickhouse.rows<FolderRow & { path: string }>(
    sql`
      SELECT if(parent_path = '', '/', concat(parent_path, name)) AS path, true AS isThere, toFloat64(size) AS bytes,
        toFloat64(files) AS files, toFloat64(folders) AS folders,
        ${knownSeconds(sql`accessed_below`, 'unknown of unread folders')} AS lastAccess,
        ${knownSeconds(sql`modified_below`, 'unknown of unread folders')} AS lastModified
      FROM ${from} WHERE ${where} AND (${join(paths.map(isFolder), ' OR ')})`,
    { quick: true, ...(signal && { signal }) },
  )
  return new Map(rows.map(({ path, ...row }) => [path, row]))
}

/** For each folder: files and bytes by age of change, by age of access, and those that are duplicates. */
type Counts = { modified: [files: number, bytes: number][]; accessed: [number, number][]; duplicate: [number, number] }

async function countFiles(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { volumeId, paths }: { volumeId: number; paths: string[] },
  signal?: AbortSignal,
) {
  const { from, where } = sourceAt(inStorages(snapshot, [volumeId]))
  const starts = sql`${paths.map((path) => (path === '/' ? '/' : `${path}/`))}`
  const isDuplicate = sql`identification_hash != 0 AND identification_hash IN ${duplicateHashes(snapshot)}`
  const rows = await clickhouse.rows<Counts & { folder: number }>(
    sql`
      SELECT folder, ${byAge(sql`modified_at`, snapshot.indexingDate)} AS modified,
        ${byAge(sql`accessed_at`, snapshot.indexingDate)} AS accessed, [toFloat64(countIf(is_copy)), sumIf(bytes, is_copy)] AS duplicate
      FROM (
        SELECT arrayJoin(arrayFilter(i -> startsWith(parent_path, ${starts}[i]), range(1, ${paths.length + 1}))) AS folder,
          toFloat64(greatest(size, 0)) AS bytes, ${knownSeconds(sql`modified`, 'unknown of unread files')} AS modified_at,
          ${knownSeconds(sql`accessed`, 'unknown of unread files')} AS accessed_at, ${isDuplicate} AS is_copy
        FROM ${from} WHERE ${where} AND NOT is_directory AND (${join(paths.map(below), ' OR ')}))
      GROUP BY folder`,
    { heavy: true, seconds: 600, ...(signal && { signal }) },
  )
  return paths.map((_, i) => rows.find(({ folder }) => Number(folder) === i + 1))
}

/** Files and bytes of each age, as `projectAges` orders them; unknown moments are of no age. */
function byAge(column: Sql, day: string): Sql {
  const begins = firstDaysOfAges(day)
    .slice(0, projectAges.length - 1)
    .map(startOfDay)
  const within = begins.map((begin, i) => {
    const younger = begins[i - 1]
    return younger === undefined ? sql`${column} >= ${begin}` : sql`${column} >= ${begin} AND ${column} < ${younger}`
  })
  const each = [...within, sql`${column} < ${begins.at(-1) ?? 0}`].map(
    (isIt) => sql`[toFloat64(countIf(ifNull(${isIt}, 0))), sumIf(bytes, ifNull(${isIt}, 0))]`,
  )
  return sql`[${join(each, ', ')}]`
}

const counted = ([files, bytes]: [number, number]): Counted => ({
  numberOfFiles: Number(files),
  sizeOfFiles: Number(bytes),
})

function statisticsOf(counts: Counts | undefined): ProjectStatistics {
  const ages = (of: [number, number][] = []) =>
    Object.fromEntries(projectAges.flatMap((age, i) => (of[i]?.[0] ? [[age, counted(of[i])]] : [])))
  return {
    DUPLICATE: { duplicate: counted(counts?.duplicate ?? [0, 0]) },
    MODIFIED_DATE: ages(counts?.modified),
    ACCESS_DATE: ages(counts?.accessed),
  }
}
