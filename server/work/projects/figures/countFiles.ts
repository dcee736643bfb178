import { type FileTotals, projectAges, type ProjectStatistics } from '#events/projects/calls.ts'
import { firstDaysOfAges } from '#events/storages.ts'
import { billedBytes, billedOnce } from '#server/content/snapshots/reading/billedBytes.ts'
import { below, childrenOf, knownSeconds } from '#server/content/entries/conditions.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { startOfDay } from '#server/platform/days.ts'
import { allOf } from '#server/platform/clickhouse/paths.ts'
import { duplicateHashes } from '#server/content/snapshots/index.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'

/** Folders of one volume whose files are counted together. */
export type Folders = { volumeId: number; paths: string[] }

/** Totals of a folder's files; `classes` has all bytes by storage class, empty if no file has one. */
export type FileCounts = { classes: Record<string, number>; statistics: ProjectStatistics }

type Pair = [files: number, bytes: number]
/**
 * Files and bytes of one storage class in a folder: in total, for each age in order, and for duplicates. The third number of the total is
 * above zero if there may be several hard links of a file.
 */
type ClassRow = {
  folder: string
  storageClass: string
  whole: [...Pair, repeated: number]
  modified: number[]
  accessed: number[]
  duplicate: Pair
}
type FreedRow = { folder: string; storageClass: string; freed: Pair }

/** The counts of each folder, in the same order. */
export async function countFiles(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  folders: Folders,
  signal?: AbortSignal,
): Promise<FileCounts[]> {
  const options = { heavy: true, seconds: 600, ...(signal && { signal }) }
  const rows = await clickhouse.rows<ClassRow>(byClass(snapshot, folders), options)
  if (rows.some(({ whole: [, , repeated] }) => Number(repeated) > 0))
    countLinksOnce(rows, await clickhouse.rows<ClassRow>(beyondOneLink(snapshot, folders), options))
  const freed = rows.some(({ duplicate: [files] }) => Number(files) > 0)
    ? await clickhouse.rows<FreedRow>(beyondOne(snapshot, folders), options)
    : []
  const rowsOf = Map.groupBy(rows, ({ folder }) => folder)
  const freedOf = Map.groupBy(freed, ({ folder }) => folder)
  return folders.paths.map((path) => {
    const folder = childrenOf(path)
    return countsOf(rowsOf.get(folder) ?? [], freedOf.get(folder) ?? [])
  })
}

const isDuplicate = (snapshot: Snapshot): Sql =>
  sql`identification_hash != 0 AND identification_hash IN ${duplicateHashes(snapshot)}`

/**
 * Up to this many folders are looked up by the key; planning that for more takes longer than reading the rows around
 * them.
 */
const fewFolders = 50

/** Files of the volume: at least all those below any of the folders. */
export function filesAround(snapshot: Snapshot, { volumeId, paths }: Folders, selected: Sql, condition = sql`1`): Sql {
  const { from, where } = sourceAt(inStorages(snapshot, [volumeId]))
  const near = paths.length <= fewFolders ? join(paths.map(below), ' OR ') : sql`1`
  return sql`
    SELECT parent_path, replaceAll(storage_class, '\0', '') AS storageClass, ${selected}
    FROM ${from} WHERE ${where} AND NOT is_directory AND (${near}) AND ${condition}`
}

/** Those of the folders that contain a row with this `parent_path`, as an array in the form of `childrenOf`. */
export const foldersAbove = ({ paths }: Folders): Sql => allOf(sql`parent_path`, paths.map(childrenOf))
const eachFolderAbove = (folders: Folders): Sql => sql`arrayJoin(${foldersAbove(folders)})`

/** Counted by `parent_path` first: its folders are looked up once instead of for each file. */
const byClass = (snapshot: Snapshot, folders: Folders): Sql => sql`
  SELECT ${eachFolderAbove(folders)} AS folder, storageClass, sumForEach(whole) AS whole, sumForEach(modified) AS modified,
    sumForEach(accessed) AS accessed, sumForEach(duplicate) AS duplicate
  FROM (
    SELECT parent_path, storageClass, [toFloat64(count()), sum(bytes), sum(repeated)] AS whole,
      ${byAge(sql`modified_at`, snapshot.indexingDate)} AS modified, ${byAge(sql`used_at`, snapshot.indexingDate)} AS accessed,
      [toFloat64(countIf(is_copy)), sumIf(bytes, is_copy)] AS duplicate
    FROM (${filesAround(snapshot, folders, sql`${fileFacts(snapshot)}, toFloat64(greatest(repeated_size, 0)) AS repeated`)})
    GROUP BY parent_path, storageClass)
  GROUP BY folder, storageClass`

/** Columns of a file that figures count: its bytes by the size basis, its times, and if it is a duplicate. */
export const fileFacts = (snapshot: Snapshot): Sql => sql`
  toFloat64(${billedBytes(snapshot)}) AS bytes, ${knownSeconds('modified', snapshot)} AS modified_at,
  ${knownSeconds('last_used', snapshot)} AS used_at, ${isDuplicate(snapshot)} AS is_copy`

/** Bytes of hard links beyond the first one of each file in a folder, in the form of `byClass`. */
const beyondOneLink = (snapshot: Snapshot, folders: Folders): Sql => sql`
  SELECT folder, class AS storageClass, [0, sum(more), 0] AS whole, ${byAge(sql`modified_at`, snapshot.indexingDate, sql`more`)} AS modified,
    ${byAge(sql`used_at`, snapshot.indexingDate, sql`more`)} AS accessed, [0, sumIf(more, is_copied)] AS duplicate
  FROM (
    SELECT ${eachFolderAbove(folders)} AS folder, any(storageClass) AS class, sum(bytes) - max(bytes) AS more,
      any(modified_at) AS modified_at, any(used_at) AS used_at, max(is_copy) AS is_copied
    FROM (${filesAround(snapshot, folders, sql`${fileFacts(snapshot)}, device, inode`, sql`link_count > 1 AND inode != 0`)})
    GROUP BY folder, device, inode HAVING count() > 1)
  GROUP BY folder, storageClass`

/** Subtracts bytes, but not files: each link is a file. */
function countLinksOnce(rows: ClassRow[], more: ClassRow[]): void {
  for (const { folder, storageClass, ...counts } of more) {
    const row = rows.find((row) => row.folder === folder && row.storageClass === storageClass)
    for (const field of ['whole', 'modified', 'accessed', 'duplicate'] as const)
      counts[field].forEach((bytes, i) => {
        const counted: (number | undefined)[] | undefined = row?.[field]
        if (counted && i % 2 === 1) counted[i] = Number(counted[i]) - Number(bytes)
      })
  }
}

/** Bytes of all copies but one of each set in a folder; hard links share their bytes, so they count once. */
const beyondOne = (snapshot: Snapshot, folders: Folders): Sql => sql`
  SELECT folder, freed_copy.2 AS storageClass, [toFloat64(countIf(freed_copy.1 > 0)), sum(freed_copy.1)] AS freed
  FROM (
    SELECT ${eachFolderAbove(folders)} AS folder,
      arrayJoin(arrayPopFront(arrayReverseSort(groupArray((bytes, storageClass))))) AS freed_copy
    FROM (${filesAround(
      snapshot,
      folders,
      sql`toFloat64(${billedOnce(snapshot)}) AS bytes, identification_hash`,
      isDuplicate(snapshot),
    )})
    GROUP BY folder, identification_hash)
  GROUP BY folder, storageClass`

/** Files and bytes of each age, in the order of `projectAges`; unknown times have no age. */
export function byAge(column: Sql, day: string, bytes = sql`bytes`): Sql {
  const begins = firstDaysOfAges(day)
    .slice(0, projectAges.length - 1)
    .map(startOfDay)
  const within = begins.map((begin, i) => {
    const younger = begins[i - 1]
    return younger === undefined ? sql`${column} >= ${begin}` : sql`${column} >= ${begin} AND ${column} < ${younger}`
  })
  const each = [...within, sql`${column} < ${begins.at(-1) ?? 0}`].map(
    (isIt) => sql`[toFloat64(countIf(ifNull(${isIt}, 0))), sumIf(${bytes}, ifNull(${isIt}, 0))]`,
  )
  return sql`arrayFlatten([${join(each, ', ')}])`
}

function countsOf(rows: ClassRow[], freed: FreedRow[]): FileCounts {
  const counted = (of: (row: ClassRow) => readonly number[]) =>
    countedOf(rows.map((row) => [row.storageClass, of(row)]))
  const ages = (of: 'modified' | 'accessed') =>
    Object.fromEntries(
      projectAges.flatMap((age, i) => {
        const found = counted((row) => row[of].slice(2 * i, 2 * i + 2))
        return found.numberOfFiles > 0 ? [[age, found]] : []
      }),
    )
  return {
    classes: counted(({ whole }) => whole).classes ?? {},
    statistics: {
      DUPLICATE: {
        duplicate: counted(({ duplicate }) => duplicate),
        reclaimable: countedOf(freed.map((row) => [row.storageClass, row.freed])),
      },
      MODIFIED_DATE: ages('modified'),
      ACCESS_DATE: ages('accessed'),
    },
  }
}

/** Sums over all classes, and by class unless no file has one. */
function countedOf(all: [storageClass: string, readonly number[]][]): FileTotals {
  const known = all.map(([storageClass, [files, bytes] = [0, 0]]) => ({
    storageClass,
    files: Number(files),
    bytes: Number(bytes),
  }))
  const classes = known
    .filter(({ bytes }) => bytes > 0)
    .map(({ storageClass, bytes }) => [storageClass, bytes] as const)
  return {
    sizeOfFiles: known.reduce((sum, { bytes }) => sum + bytes, 0),
    numberOfFiles: known.reduce((sum, { files }) => sum + files, 0),
    ...(classes.some(([storageClass]) => storageClass !== '') && { classes: Object.fromEntries(classes) }),
  }
}
