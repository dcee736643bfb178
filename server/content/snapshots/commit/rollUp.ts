import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { maxStoredBytes } from '#events/scans/entryLimits.ts'
import { join, name as columnName, type Sql, sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { foldersAbove, stepUp, stopsOf, upFrom } from '#server/platform/clickhouse/paths.ts'
import { type Commit, isPlausible, maxSharedEtags, type StagedCommit, type StagedRows } from './commit.ts'
import { insertFrom, recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import { attributesOf } from './entryVersion.ts'
import { totalsOutsideScope } from './deltaScope.ts'

/** Counts the staged rows of each kind in one statement. */
export function countStaged(commit: Commit): Promise<StagedRows> {
  const { clickhouse, scan, volume } = commit
  const last = (volume.generation !== null && volume.committedScan) || 0
  const conditions: Record<keyof StagedRows, Sql> = {
    carried: sql`attempt = 0`,
    standIns: sql`attempt = 0 AND batch = 1`,
    unchanged: sql`kind = ${kindOf.unchanged}`,
    misfits: sql`compared_scan > 0 AND compared_scan != ${last}`,
    unreadable: sql`kind = ${kindOf.unreadable}`,
    unknown: sql`kind = ${kindOf.entry} AND size = -1 AND attempt > 0`,
    links: linked,
    etags: hasEtag,
    checkpoints: sql`kind = ${kindOf.checkpoint}`,
    deltas: sql`kind = ${kindOf.delta}`,
    alike: sql`kind = ${kindOf.verifiable}`,
    oddTimes: sql`NOT (${join(
      times.map((time) => isPlausible(time, commit)),
      ' AND ',
    )})`,
    notEntered: sql`not_entered != ''`,
  }
  const counts = Object.entries(conditions).map(
    ([rows, each]) => sql`toFloat64(countIf(${each})) AS ${columnName(rows)}`,
  )
  return clickhouse.one(sql`SELECT ${join(counts, ', ')} FROM ${tablesOf(scan.id).staging}`)
}

const times = [sql`created`, sql`modified`, sql`accessed`, sql`backup_date`]

const hasEtag = sql`kind = ${kindOf.entry} AND NOT is_directory AND etag != '' AND size >= 0`

/** An ETag as the store has it: agents add the size to that of an object in parts, as `parts:<hash>-<parts>:<size>`. */
const plainEtag = sql`if(startsWith(etag, 'parts:'), substring(etag, 1, position(etag, ':', 7) - 1), etag)`

/** ETags that files of different sizes have, as where a gateway gives all files a default one. */
export async function readSharedEtags({ clickhouse, scan }: Commit, { etags }: StagedRows): Promise<string[]> {
  if (etags < 2) return []
  const { staging } = tablesOf(scan.id)
  const rows = await clickhouse.rows<{ shared: string }>(sql`
    SELECT ${plainEtag} AS shared FROM ${staging} WHERE ${hasEtag} GROUP BY shared HAVING min(size) != max(size) LIMIT ${maxSharedEtags + 1}
    ${text('SETTINGS max_threads = 2, max_bytes_before_external_group_by = 268435456')}`)
  return rows.map(({ shared }) => shared)
}

const linked = sql`kind = ${kindOf.entry} AND NOT is_directory AND link_count > 1 AND inode != 0`

/**
 * Rows of the staging table; implausible times are 0, and ETags that say nothing are ''. If an entry was not completely readable and its known
 * version was carried over (attempt 0, batch 1), that version replaces it.
 */
function seen(commit: StagedCommit): Sql {
  const { staging } = tablesOf(commit.scan.id)
  const { oddTimes, standIns } = commit.staged.rows
  const judged = oddTimes > 0 ? times.map((time) => sql`if(${isPlausible(time, commit)}, ${time}, 0) AS ${time}`) : []
  const replaced = [...judged, ...ownEtag(commit)]
  const rows = replaced.length > 0 ? sql`(SELECT * REPLACE (${join(replaced, ', ')}) FROM ${staging})` : staging
  if (standIns === 0) return rows
  return sql`(
    SELECT * FROM ${rows}
    WHERE NOT (kind = ${kindOf.entry} AND (size = -1 OR partial) AND attempt > 0 AND (parent_path, name, is_directory) IN (
      SELECT parent_path, name, is_directory FROM ${staging} WHERE attempt = 0 AND batch = 1)))`
}

function ownEtag({ staged: { sharedEtags } }: StagedCommit): Sql[] {
  if (sharedEtags.length === 0) return []
  if (sharedEtags.length > maxSharedEtags) return [sql`'' AS etag`]
  return [sql`if(${plainEtag} IN ${sharedEtags}, '', etag) AS etag`]
}

/** Bytes of a file that another hard link, the first in order, already counts. */
const repeatedSize = ({ scan, staged }: StagedCommit): Sql =>
  staged.rows.links > 0
    ? sql`if(s.size > 0 AND s.link_count > 1 AND s.inode != 0
        AND sipHash128(s.parent_path, s.name) NOT IN (SELECT path FROM ${tablesOf(scan.id).firstLinks}), s.size, 0)`
    : sql`toInt64(0)`

/** The new versions of the scan's files. Read from one table they are sorted by key. */
export const newFiles = (commit: StagedCommit): Sql => sql`(
  WITH ${repeatedSize(commit)} AS repeated
  SELECT true AS here, s.parent_path AS parent_path, s.name AS name, false AS is_directory, ${attributesOf('file')}
  FROM ${seen(commit)} AS s WHERE s.kind = ${kindOf.entry} AND NOT s.is_directory)`

/** The new versions of the scan's folders. */
export const newFolders = (commit: StagedCommit): Sql => sql`(
  SELECT true AS here, t.parent_path AS parent_path, t.name AS name, true AS is_directory, ${attributesOf('folder')}
  FROM ${tablesOf(commit.scan.id).totals} AS t
  LEFT JOIN (SELECT * FROM ${seen(commit)} WHERE kind = ${kindOf.entry} AND is_directory) AS s
    ON t.parent_path = s.parent_path AND t.name = s.name)`

/**
 * Calculates the totals of each folder and of all below it, and adds entries of folders that the source did not list.
 * The end of a folder's listing adds no entry: a removed folder has none.
 */
export async function rollUp(commit: StagedCommit): Promise<void> {
  const { clickhouse, scan, staged } = commit
  const tables = tablesOf(scan.id)
  if (staged.rows.checkpoints > 0) await addFolders(clickhouse, tables)
  if (staged.rows.links > 0) await recreateTable(clickhouse, tables.firstLinks, 'tuple()', firstLinks(commit))
  await recreateTable(clickhouse, tables.totals, '(parent_path, name)', totals(commit), totalsColumns)
}

/** Adds entries for the folders in an object store's keys, or in the paths of an export, so that they are counted like listed folders. */
export async function addFolders(
  clickhouse: ClickHouse,
  { staging }: Pick<ReturnType<typeof tablesOf>, 'staging'>,
): Promise<void> {
  await insertFrom(
    clickhouse,
    staging,
    sql`
    WITH splitByChar('/', folder)[-2] AS last, substring(folder, 1, length(folder) - 1 - length(last)) AS above
    SELECT 0, 0, 0, above, last, true
    FROM (${foldersAbove(sql`
      SELECT DISTINCT parent_path AS path FROM ${staging} WHERE kind = ${kindOf.entry}
      UNION DISTINCT
      SELECT concat(parent_path, name, '/') FROM ${staging} WHERE kind = ${kindOf.listed} AND files > 0`)})
    WHERE (above, last) NOT IN (SELECT parent_path, name FROM ${staging} WHERE kind = ${kindOf.entry} AND is_directory)`,
    'attempt, batch, kind, parent_path, name, is_directory',
  )
}

const firstLinks = (commit: StagedCommit) => sql`
  SELECT sipHash128(first.1, first.2) AS path
  FROM (
    SELECT min((parent_path, name)) AS first
    FROM ${seen(commit)}
    WHERE ${linked}
    GROUP BY device, inode)`

const totalsColumns = `parent_path String, name String, size Int64, allocated_size Int64, repeated_size Int64, files UInt64, folders UInt64,
  dated UInt64, last_access Int64, last_modified Int64, unreadable Bool, not_entered String, unrecorded_files UInt64,
  unrecorded_size Int64, unrecorded_allocated Int64`

const totals = (commit: StagedCommit) => sql`
  WITH splitByChar('/', folder)[-2] AS last
  SELECT
    substring(folder, 1, length(folder) - 1 - length(last)) AS parent_path, last AS name,
    ${inLimit(sql`sum(below.size)`)} AS size, ${inLimit(sql`sum(below.allocated_size)`)} AS allocated_size,
    ${inLimit(sql`sum(below.repeated_size)`)} AS repeated_size,
    sum(below.files) AS files, sum(below.folders) AS folders, sum(below.dated) AS dated,
    max(below.last_access) AS last_access, max(below.last_modified) AS last_modified,
    max(below.unreadable) AS unreadable, max(below.not_entered) AS not_entered, sum(below.unrecorded_files) AS unrecorded_files,
    ${inLimit(sql`sum(toInt128(below.unrecorded_size))`)} AS unrecorded_size,
    ${inLimit(sql`sum(toInt128(below.unrecorded_allocated))`)} AS unrecorded_allocated
  FROM (
    SELECT arrayJoin(${upFrom(sql`stop`)}) AS folder, size, allocated_size, toInt128(0) AS repeated_size, files, folders, dated,
      last_access, last_modified, false AS unreadable, '' AS not_entered, 0 AS unrecorded_files, 0 AS unrecorded_size,
      0 AS unrecorded_allocated
    FROM (
      SELECT arrayJoin(${stopsOf(sql`path`)}) AS stop, sum(toInt128(s.size)) AS size,
        sum(toInt128(s.allocated_size)) AS allocated_size, sum(s.files) AS files, sum(s.folders) AS folders, sum(s.dated) AS dated,
        max(s.last_access) AS last_access, max(s.last_modified) AS last_modified
      FROM (${inFolders(commit)}) AS s GROUP BY stop ${stepUp})
    UNION ALL
    SELECT concat(parent_path, name, '/'), 0, 0, 0, 0, 0, 0, 0, 0, kind = ${kindOf.unreadable},
      toString(not_entered), if(kind = ${kindOf.listed}, files, 0),
      if(kind = ${kindOf.listed}, size, 0), if(kind = ${kindOf.listed}, allocated_size, 0)
    FROM ${tablesOf(commit.scan.id).staging} WHERE is_directory AND (kind IN (${kindOf.entry}, ${kindOf.unreadable}) OR (kind = ${kindOf.listed} AND (files > 0 OR not_entered != '')))
    ${commit.staged.rows.links > 0 ? sql`UNION ALL ${repeatedInFolders(commit)}` : sql``}) AS below
  GROUP BY folder`

/** Largest sum of bytes that is stored: below 2^63, and exact as a number of JavaScript. */
const inLimit = (sum: Sql) =>
  sql`toInt64(least(${sum}, toInt128(${typed(BigInt(maxStoredBytes).toString(), 'Int64')})))`

/**
 * Corrects the totals of folders with several links of a file: its size counts once in each of them. Of links that differ, because
 * the file changed during the scan, the largest counts.
 */
const repeatedInFolders = (commit: StagedCommit) => sql`
  SELECT folder, -sum(again), -sum(allocated_again), sum(again), 0, 0, 0, 0, 0, false, '', 0, 0, 0
  FROM (
    SELECT arrayJoin(${upFrom(sql`stop`)}) AS folder, sum(all_size) - max(largest) AS again,
      sum(all_allocated) - max(largest_allocated) AS allocated_again
    FROM (
      SELECT arrayJoin(${stopsOf(sql`parent_path`)}) AS stop, device, inode, count() AS links, sum(toInt128(size)) AS all_size,
        max(size) AS largest, sum(toInt128(greatest(allocated_size, 0))) AS all_allocated,
        max(greatest(allocated_size, 0)) AS largest_allocated
      FROM ${seen(commit)} WHERE ${linked} AND size > 0
      GROUP BY stop, device, inode ${stepUp})
    GROUP BY folder, device, inode HAVING sum(links) > 1)
  GROUP BY folder`

/**
 * Direct content of each folder, and those of its files that have no row. Reading the target of a symbolic link is an
 * access of the link, so links count by their change time. An unreadable file has no times; unknown times are 0, older than all others.
 */
const inFolders = (commit: StagedCommit) => sql`
  WITH NOT f.is_directory AS isFile
  SELECT parent_path AS path, sumIf(toInt128(greatest(f.size, 0)), isFile) AS size,
    sumIf(toInt128(greatest(f.allocated_size, 0)), isFile) AS allocated_size, countIf(isFile) AS files,
    countIf(NOT isFile) AS folders, countIf(isFile AND f.size >= 0) AS dated,
    maxIf(if(f.link_target = '', f.accessed, f.modified), isFile) AS last_access, maxIf(f.modified, isFile) AS last_modified
  FROM ${seen(commit)} AS f WHERE f.kind = ${kindOf.entry} GROUP BY parent_path
  UNION ALL
  SELECT concat(parent_path, name, '/'), size, allocated_size, files, 0, if(kind = ${kindOf.unchanged}, files, 0),
    if(kind = ${kindOf.unchanged}, accessed, 0), if(kind = ${kindOf.unchanged}, modified, 0)
  FROM ${tablesOf(commit.scan.id).staging} WHERE kind IN (${kindOf.listed}, ${kindOf.unchanged}) AND files > 0
  ${commit.staged.rows.deltas > 0 ? sql`UNION ALL ${totalsOutsideScope(commit)}` : sql``}`
