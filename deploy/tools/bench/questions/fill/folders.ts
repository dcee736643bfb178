import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, name, sql, text } from '#server/platform/clickhouse/sql.ts'
import { dropTable } from '#server/platform/clickhouse/statements.ts'
import { insertFrom, recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import { nextId } from '#server/content/snapshots/commit/writeGeneration.ts'
import { attributesOf } from '#server/content/snapshots/commit/entryVersion.ts'
import { upFrom } from '#server/platform/clickhouse/paths.ts'
import { newest, oldest, snapshotStarts } from './calendar.ts'
import { entryColumns, type FilledVolume, historyColumns, scansOf } from './versions.ts'
import { people, pick, plain } from './words.ts'

/** Totals of a volume at each of its scans. */
export type RootTotals = { files: number; folders: number; bytes: number; allocatedBytes: number }

const turns = snapshotStarts.length
/** Totals of each folder at each scan, as arrays. */
const below = name('bench_below')
/** Versions of each folder, with the scans from and up to which they are valid. */
const versions = name('bench_folders')
const parent = (path: string) => `substring(${path}, 1, length(${path}) - 1 - length(splitByChar('/', ${path})[-2]))`

/** Computes each folder's totals at each scan from its files, and writes a version wherever they differ. */
export async function fillFolders(clickhouse: ClickHouse, volume: FilledVolume): Promise<RootTotals[]> {
  await recreateTable(clickhouse, below, 'folder', totalsOf(volume))
  await recreateTable(clickhouse, versions, '(parent_path, name)', versionsOf())
  const shared = sql`t.parent_path, t.name, true, '', ${attributesOf('folder')} FROM ${versions} AS t
    INNER JOIN (${own}) AS s ON t.parent_path = s.parent_path AND t.name = s.name`
  const scan = (turn: string) => sql`arrayElement(${scansOf(volume)}, ${text(turn)})`
  await insertFrom(
    clickhouse,
    'entries',
    sql`SELECT ${volume.id}, ${volume.generation}, ${nextId(volume.generation, 1)}, ${scan('t.born')}, ${shared} WHERE t.gone > ${plain(turns)}`,
    entryColumns,
  )
  await insertFrom(
    clickhouse,
    'entry_history',
    sql`SELECT ${volume.id}, ${scan('t.born')}, ${scan('t.gone')}, if(t.stays, 'changed', 'deleted'), '', ${shared}
      WHERE t.gone <= ${plain(turns)}`,
    historyColumns,
  )
  const totals = await readRootTotals(clickhouse)
  for (const table of [below, versions]) await clickhouse.command(dropTable(table))
  return totals
}

const eachTurn = (value: string) =>
  `arrayMap(turn -> if(turn >= born AND turn < gone, ${value}, 0), range(1, ${turns + 1}))`

// The made-up trees have fewer levels than one step up.
const totalsOf = (volume: FilledVolume): Sql => sql`
  WITH files AS (
    SELECT arrayJoin(${upFrom(sql`path`)}) AS folder, ${text(
      `sumForEach(${eachTurn('size')}) AS size, sumForEach(${eachTurn('allocated')}) AS allocated_size,
      sumForEach(${eachTurn('count')}) AS files, maxForEach(${eachTurn('read')}) AS last_access,
      maxForEach(${eachTurn('written')}) AS last_modified`,
    )}
    FROM (${inFolders(volume)}) GROUP BY folder),
  folders AS (
    SELECT arrayJoin(${upFrom(text(parent('folder')))}) AS folder, sumForEach(arrayMap(count -> count > 0, files)) AS folders
    FROM files GROUP BY folder)
  SELECT folder, ${text(parent('folder'))} AS parent_path, splitByChar('/', folder)[-2] AS name, size, allocated_size, files,
    last_access, last_modified, arrayResize(folders, ${plain(turns)}) AS folders
  FROM files LEFT JOIN folders USING folder`

/** Totals of the files directly in each folder, grouped by the scans at which they appear and disappear. */
const inFolders = (volume: FilledVolume): Sql => sql`
  SELECT parent_path AS path, born, gone, sum(size) AS size, sum(allocated_size) AS allocated, count() AS count,
    max(toUnixTimestamp(accessed)) AS read, max(toUnixTimestamp(modified)) AS written
  FROM (
    SELECT parent_path, size, allocated_size, accessed, modified, indexOf(${scansOf(volume)}, from_scan) AS born,
      ${plain(turns + 1)} AS gone
    FROM entries WHERE volume = ${volume.id} AND generation = ${volume.generation} AND NOT is_directory
    UNION ALL
    SELECT parent_path, size, allocated_size, accessed, modified, indexOf(${scansOf(volume)}, from_scan),
      indexOf(${scansOf(volume)}, to_scan)
    FROM entry_history WHERE volume = ${volume.id} AND NOT is_directory)
  GROUP BY path, born, gone`

/** A folder exists as long as there are files below it. */
const versionsOf = (): Sql => sql`
  SELECT parent_path, name, starts[nth] AS born, if(nth = length(starts), ${plain(turns + 1)}, starts[nth + 1]) AS gone,
    b.files[gone] > 0 AS stays, b.size[born] AS size, b.allocated_size[born] AS allocated_size, 0 AS repeated_size,
    b.files[born] AS files, b.folders[born] AS folders, b.files[born] AS dated, b.last_access[born] AS last_access,
    b.last_modified[born] AS last_modified, false AS unreadable, '' AS not_entered, 0 AS unrecorded_files, 0 AS unrecorded_size,
    0 AS unrecorded_allocated
  FROM (
    SELECT *, arrayZip(size, allocated_size, files, folders, last_access, last_modified) AS at,
      arrayFilter(turn -> turn = 1 OR at[turn] != at[turn - 1], range(1, ${plain(turns + 1)})) AS starts
    FROM ${below}) AS b ARRAY JOIN arrayEnumerate(starts) AS nth
  WHERE b.files[born] > 0`

/** Attributes of the folder itself. Folders of the same size have the same times, so some are copies. */
const own = sql`
  SELECT parent_path, name, sipHash64(folder) AS h, 2 AS link_count, 2049 AS device, h % 1000000000000 AS inode,
    ${pick(people, sql`h`)} AS owner, 'staff' AS \`group\`, 16893 AS mode, '' AS link_target,
    toInt64(${plain(oldest)} + sipHash64(size[1]) % ${plain(newest - oldest)}) AS created, created AS modified,
    created AS accessed, '' AS etag, '' AS storage_class, 0 AS backup_date, map() AS metadata
  FROM ${below}`

const readRootTotals = (clickhouse: ClickHouse): Promise<RootTotals[]> =>
  clickhouse.rows(sql`
    SELECT toFloat64(at.1) AS files, toFloat64(at.2) AS folders, toFloat64(at.3) AS bytes, toFloat64(at.4) AS allocatedBytes
    FROM (SELECT arrayJoin(arrayZip(files, folders, size, allocated_size)) AS at FROM ${below} WHERE folder = '/')`)
