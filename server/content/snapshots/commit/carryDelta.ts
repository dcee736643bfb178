import { counted } from '#events/contract/counted.ts'
import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { carryRows, marks } from './carriedRows.ts'
import { isInAny, nearestOf } from '#server/platform/clickhouse/paths.ts'
import { type Commit, known } from './commit.ts'
import { recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import { findScope, isInScope } from './deltaScope.ts'
import { refuse } from './sameFiles.ts'

/*
 * A delta names new, changed and removed entries; all others in its scope are carried over as attempt 0. Paths of
 * removed entries are those of the known snapshot, and paths of entries those of the new one, so the order of arrival
 * makes no difference.
 */

/**
 * Carries over entries in the scope of a delta that it did not name, with their current paths. If the scan couldn't read an entry
 * completely, the carried row (batch 1) has the rest. Throws `UnfitMarks` if the delta does not fit the known snapshot.
 */
export async function carryAllBut(commit: Commit): Promise<void> {
  const { clickhouse, scan } = commit
  const { displaced } = tablesOf(scan.id)
  const goneFolders = await someGoneFolders(commit)
  await refuseUnknownMoves(commit)
  await recreateTable(
    clickhouse,
    displaced,
    'folder',
    goneFolders.length > 0 ? displacedFolders(commit, goneFolders) : noFolders,
  )
  await findScope(commit)
  await carryUnnamed(commit)
  await refuseOrphans(commit)
}

/** Removed entries. A mark that isn't of a folder leaves one of the same path, as buckets may have. */
const gone = ({ scan }: Commit): Sql => sql`(
  SELECT concat(parent_path, name) AS path, any(moved_to) AS target, true AS isGone, max(is_directory) AS hasFolder
  FROM ${tablesOf(scan.id).staging} WHERE kind = ${kindOf.gone} AND attempt > 0 GROUP BY path)`

const noFolders = sql`SELECT '' AS folder, '' AS target WHERE 0`

/** Beginnings of paths in a statement, by which the index is used. */
const maxBeginnings = 32

/** Known folders that were removed or moved, up to one more than `maxBeginnings`. Without any, no other folder has to be read. */
async function someGoneFolders(commit: Commit): Promise<string[]> {
  const rows = await commit.clickhouse.rows<{ folder: string }>(sql`
    SELECT concat(parent_path, name, '/') AS folder FROM ${known(commit)} AND is_directory AND ${isGone(commit)} LIMIT ${maxBeginnings + 1}`)
  return rows.map(({ folder }) => folder)
}

/** Condition: the folder was at a path of the known snapshot that the delta names as removed or moved. */
const isGone = ({ scan }: Commit): Sql => sql`(parent_path, name) IN (
  SELECT toString(parent_path), name FROM ${tablesOf(scan.id).staging} WHERE kind = ${kindOf.gone} AND is_directory AND attempt > 0)`

/** Known folders inside a removed or moved entry, by the nearest one, with their current path; '' if they are gone. */
function displacedFolders(commit: Commit, some: string[]): Sql {
  const beginnings = some.map((folder) => sql`startsWith(parent_path, ${folder})`)
  const among = some.length > maxBeginnings ? sql`1` : sql`(${join(beginnings, ' OR ')})`
  const goneFolders = sql`SELECT concat(path, '/') AS folder FROM ${gone(commit)} WHERE hasFolder`
  return sql`
    SELECT k.folder AS folder, if(g.target = '', '', concat(g.target, substring(k.folder, length(g.path) + 1))) AS target
    FROM (
      SELECT folder, ${nearestOf(sql`folder`, goneFolders)} AS near
      FROM (SELECT DISTINCT parent_path AS folder FROM ${known(commit)} AND ${among})
      WHERE ${isInAny(sql`folder`, goneFolders)}
    ) AS k
    INNER JOIN ${gone(commit)} AS g ON k.near = concat(g.path, '/')`
}

/** Known entries with their current path as `place`; removed ones are left out. */
const placed = (commit: Commit): Sql => sql`
  SELECT e.*, g.isGone AND (g.hasFolder OR NOT e.is_directory) AS isRemoved, isRemoved OR d.folder != '' AS isDisplaced,
    multiIf(isRemoved, g.target, d.folder = '', concat(e.parent_path, e.name), d.target = '', '', concat(d.target, e.name)) AS place,
    if(isDisplaced, substring(place, 1, length(place) - position(reverse(place), '/') + 1), e.parent_path) AS parent_now,
    if(isDisplaced, substring(place, length(parent_now) + 1), e.name) AS name_now
  FROM (SELECT * FROM ${known(commit)} AND ${isInScope(commit)}) AS e
  LEFT JOIN ${tablesOf(commit.scan.id).displaced} AS d ON e.parent_path = d.folder
  LEFT JOIN ${gone(commit)} AS g ON concat(e.parent_path, e.name) = g.path
  WHERE NOT (isDisplaced AND place = '')`

/** For entries that the scan has too, carries over marks, and the data that the scan lacks. */
function carryUnnamed(commit: Commit): Promise<void> {
  const seen = sql`(
    SELECT *, 1 AS isSeen FROM ${tablesOf(commit.scan.id).staging} WHERE kind = ${kindOf.entry} AND attempt > 0)`
  const isIncomplete = sql`(s.isSeen = 1 AND (s.partial OR s.size = -1))`
  return carryRows(commit, {
    from: sql`(${placed(commit)}) AS p
      LEFT JOIN ${seen} AS s ON p.parent_now = s.parent_path AND p.name_now = s.name
      WHERE s.isSeen = 0 OR s.is_directory = p.is_directory`,
    kinds: sql`arrayConcat(if(s.isSeen = 0 OR ${isIncomplete}, [${kindOf.entry}], []), ${unlessListed(commit)})`,
    batch: isIncomplete,
    parentPath: sql`p.parent_now`,
    name: sql`p.name_now`,
    mergeValue: (column, known) => sql`if(s.partial AND s.size >= 0, s.${column}, ${known})`,
    mergeText: (column, known) => sql`if(s.partial AND s.${column} != '', s.${column}, ${known})`,
  })
}

/** A flush of a live state lists folders again, a list of changes doesn't. */
const unlessListed = ({ scan, volume }: Commit): Sql =>
  volume.live
    ? sql`if(concat(p.parent_now, p.name_now, '/') IN (
        SELECT concat(parent_path, name, '/') FROM ${tablesOf(scan.id).staging} WHERE kind = ${kindOf.listed} AND attempt > 0),
        [], arrayConcat(${marks}))`
    : marks

/** The content of a moved folder is not sent again, so it must be in the known snapshot. */
async function refuseUnknownMoves(commit: Commit): Promise<void> {
  const { staging } = tablesOf(commit.scan.id)
  const { unknown } = await commit.clickhouse.one<{ unknown: number }>(sql`
    SELECT toFloat64(count()) AS unknown FROM ${staging}
    WHERE kind = ${kindOf.gone} AND attempt > 0 AND moved_to != ''
      AND moved_to IN (SELECT concat(parent_path, name) FROM ${staging} WHERE kind = ${kindOf.entry} AND is_directory AND attempt > 0)
      AND (parent_path, name) NOT IN (SELECT parent_path, name FROM ${known(commit)} AND is_directory AND ${isGone(commit)})`)
  if (unknown > 0) await refuse(commit, `The list of changes moves ${counted(unknown, 'unknown folder')}`)
}

/** Refuses a delta if the folder of an entry has no entry itself. */
async function refuseOrphans(commit: Commit): Promise<void> {
  const { staging } = tablesOf(commit.scan.id)
  const { orphans } = await commit.clickhouse.one<{ orphans: number }>(sql`
    SELECT toFloat64(count()) AS orphans
    FROM (SELECT DISTINCT parent_path FROM ${staging} WHERE kind = ${kindOf.entry} AND parent_path != '')
    WHERE parent_path NOT IN (
      SELECT concat(parent_path, name, '/') FROM ${staging} WHERE kind = ${kindOf.entry} AND is_directory)`)
  if (orphans > 0) await refuse(commit, `The list of changes leaves ${counted(orphans, 'folder')} without an entry`)
}
