import { type Counted, projectAges, type ProjectStatistics } from '#events/projects/calls.ts'
import { firstDaysOfAges } from '#events/storages.ts'
import { below, inStorages, knownSeconds } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { startOfDay } from '#server/platform/days.ts'
import { duplicateHashes, type Snapshot, sourceAt } from '#server/snapshots/index.ts'

/** Folders of one volume whose files are counted together. */
export type Folders = { volumeId: number; paths: string[] }

/** What the files of a folder come to; `classes` are all their bytes by storage class, none where no file has one. */
export type FileCounts = { classes: Record<string, number>; statistics: ProjectStatistics }

type Pair = [files: number, bytes: number]
/** Files and bytes of one storage class of a folder: all, by age of change, by age of access, and those that are duplicates. */
type ClassRow = {
  folder: number
  storageClass: string
  whole: Pair
  modified: Pair[]
  accessed: Pair[]
  duplicate: Pair
}
type FreedRow = { folder: number; storageClass: string; freed: Pair }

/** The files of each of some folders, in their order. */
export async function countFiles(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  folders: Folders,
  signal?: AbortSignal,
): Promise<FileCounts[]> {
  const options = { heavy: true, seconds: 600, ...(signal && { signal }) }
  const rows = await clickhouse.rows<ClassRow>(byClass(snapshot, folders), options)
  const freed = rows.some(({ duplicate: [files] }) => Number(files) > 0)
    ? await clickhouse.rows<FreedRow>(beyondOne(snapshot, folders), options)
    : []
  return folders.paths.map((_, i) => {
    const isOfFolder = ({ folder }: { folder: number }) => Number(folder) === i + 1
    return countsOf(rows.filter(isOfFolder), freed.filter(isOfFolder))
  })
}

const isDuplicate = (snapshot: Snapshot): Sql =>
  sql`identification_hash != 0 AND identification_hash IN ${duplicateHashes(snapshot)}`

/** Of each file below any of the folders some columns, once for each folder that it lies in. */
function filesBelow(snapshot: Snapshot, { volumeId, paths }: Folders, selected: Sql, condition = sql`1`): Sql {
  const { from, where } = sourceAt(inStorages(snapshot, [volumeId]))
  const starts = sql`${paths.map((path) => (path === '/' ? '/' : `${path}/`))}`
  return sql`
    SELECT arrayJoin(arrayFilter(i -> startsWith(parent_path, ${starts}[i]), range(1, ${paths.length + 1}))) AS folder,
      replaceAll(storage_class, '\0', '') AS storageClass, ${selected}
    FROM ${from} WHERE ${where} AND NOT is_directory AND (${join(paths.map(below), ' OR ')}) AND ${condition}`
}

const byClass = (snapshot: Snapshot, folders: Folders): Sql => sql`
  SELECT folder, storageClass, [toFloat64(count()), sum(bytes)] AS whole,
    ${byAge(sql`modified_at`, snapshot.indexingDate)} AS modified, ${byAge(sql`accessed_at`, snapshot.indexingDate)} AS accessed,
    [toFloat64(countIf(is_copy)), sumIf(bytes, is_copy)] AS duplicate
  FROM (${filesBelow(
    snapshot,
    folders,
    sql`toFloat64(greatest(size, 0)) AS bytes, ${knownSeconds(sql`modified`, 'unknown of unread files')} AS modified_at,
      ${knownSeconds(sql`accessed`, 'unknown of unread files')} AS accessed_at, ${isDuplicate(snapshot)} AS is_copy`,
  )})
  GROUP BY folder, storageClass`

/** What all copies but one of each set take that lie in a folder; hard links share their bytes, so that they are counted once. */
const beyondOne = (snapshot: Snapshot, folders: Folders): Sql => sql`
  SELECT folder, freed_copy.2 AS storageClass, [toFloat64(count()), sum(freed_copy.1)] AS freed
  FROM (
    SELECT folder, arrayJoin(arrayPopFront(arrayReverseSort(groupArray((bytes, storageClass))))) AS freed_copy
    FROM (${filesBelow(
      snapshot,
      folders,
      sql`toFloat64(greatest(counted_size, 0)) AS bytes, identification_hash`,
      isDuplicate(snapshot),
    )})
    GROUP BY folder, identification_hash)
  GROUP BY folder, storageClass`

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

function countsOf(rows: ClassRow[], freed: FreedRow[]): FileCounts {
  const counted = (of: (row: ClassRow) => Pair | undefined) => countedOf(rows.map((row) => [row.storageClass, of(row)]))
  const ages = (of: 'modified' | 'accessed') =>
    Object.fromEntries(
      projectAges.flatMap((age, i) => {
        const found = counted((row) => row[of][i])
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

/** Added up over classes, and by class unless no file has one. */
function countedOf(all: [storageClass: string, Pair | undefined][]): Counted {
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
