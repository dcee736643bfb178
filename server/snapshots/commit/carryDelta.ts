import { kindOf, tablesOf } from '#server/ingest/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Commit } from './commit.ts'
import { recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import { ancestors } from './rollUp.ts'
import { refuse } from './sameFiles.ts'

/*
 * A delta names new, changed and removed entries; all others are carried over as attempt 0. Paths of removed entries
 * are those of the known snapshot, and paths of entries those of the new one, so the order of arrival makes no
 * difference.
 */

/**
 * Carries over entries that a delta did not name, with their current paths. If the scan couldn't read an entry
 * completely, the carried row (batch 1) has the rest. Throws `UnfitMarks` if the delta does not fit the known snapshot.
 */
export async function carryAllBut(commit: Commit): Promise<void> {
  const { clickhouse, scan } = commit
  const { displaced } = tablesOf(scan.id)
  await refuseUnknownMoves(commit)
  await recreateTable(clickhouse, displaced, 'folder', displacedFolders(commit))
  await clickhouse.command(
    sql`INSERT INTO ${tablesOf(scan.id).staging} (${carriedColumns}) ${carriedRows(commit)} SETTINGS max_threads = 2`,
  )
  await refuseOrphans(commit)
}

/** Columns of staging that rows of the known snapshot fill. */
export const carriedColumns = sql`attempt, batch, kind, parent_path, name, is_directory, size, allocated_size, files, link_count, device, inode,
  owner, \`group\`, mode, link_target, created, modified, accessed, etag, storage_class, backup_date, metadata`

const known = ({ volume }: Commit): Sql =>
  sql`entries WHERE volume = ${volume.id} AND generation = ${volume.generation}`
const gone = ({ scan }: Commit): Sql => sql`(
  SELECT concat(parent_path, name) AS path, any(moved_to) AS target, true AS isGone
  FROM ${tablesOf(scan.id).staging} WHERE kind = ${kindOf.gone} AND attempt > 0 GROUP BY path)`

/** Known folders inside a removed or moved entry, by the nearest one, with their current path; '' if they are gone. */
const displacedFolders = (commit: Commit): Sql => sql`
  SELECT k.folder AS folder, argMax(g.target, length(g.path)) AS near,
    if(near = '', '', concat(near, substring(k.folder, max(length(g.path)) + 1))) AS target
  FROM (
    SELECT folder, arrayJoin(${ancestors(sql`folder`)}) AS above
    FROM (SELECT DISTINCT parent_path AS folder FROM ${known(commit)})
  ) AS k
  INNER JOIN ${gone(commit)} AS g ON k.above = concat(g.path, '/')
  GROUP BY k.folder`

/** Known entries with their current path as `place`; removed ones are left out. */
const placed = (commit: Commit): Sql => sql`
  SELECT e.*, g.isGone OR d.folder != '' AS isDisplaced,
    multiIf(g.isGone, g.target, d.folder = '', concat(e.parent_path, e.name), d.target = '', '', concat(d.target, e.name)) AS place,
    if(isDisplaced, substring(place, 1, length(place) - position(reverse(place), '/') + 1), e.parent_path) AS parent_now,
    if(isDisplaced, substring(place, length(parent_now) + 1), e.name) AS name_now
  FROM (SELECT * FROM ${known(commit)}) AS e
  LEFT JOIN ${tablesOf(commit.scan.id).displaced} AS d ON e.parent_path = d.folder
  LEFT JOIN ${gone(commit)} AS g ON concat(e.parent_path, e.name) = g.path
  WHERE NOT (isDisplaced AND place = '')`

/** For entries that the scan has too, carries over marks, and the data that the scan lacks. */
function carriedRows(commit: Commit): Sql {
  const seen = sql`(
    SELECT *, 1 AS isSeen FROM ${tablesOf(commit.scan.id).staging} WHERE kind = ${kindOf.entry} AND attempt > 0)`
  const kinds = sql`arrayConcat(if(s.isSeen = 0 OR isIncomplete, [${kindOf.entry}], []),
    if(p.unreadable, [${kindOf.unreadable}], []), if(p.unrecorded_files > 0, [${kindOf.listed}], []))`
  const either = (column: Sql) => sql`if(s.partial AND s.size >= 0, s.${column}, p.${column})`
  const moment = (column: Sql) => sql`if(s.partial AND s.size >= 0, s.${column}, toInt64(toUnixTimestamp(p.${column})))`
  const named = (column: Sql) => sql`if(s.partial AND s.${column} != '', s.${column}, p.${column})`
  return sql`
    WITH s.isSeen = 1 AND (s.partial OR s.size = -1) AS isIncomplete
    SELECT 0, toUInt32(isIncomplete), arrayJoin(${kinds}) AS mark, p.parent_now, p.name_now, p.is_directory,
      multiIf(mark = ${kindOf.listed}, p.unrecorded_size, p.is_directory, 0, ${either(sql`size`)}),
      multiIf(mark = ${kindOf.listed}, p.unrecorded_allocated, p.is_directory, 0, ${either(sql`allocated_size`)}),
      if(mark = ${kindOf.listed}, p.unrecorded_files, 0), p.link_count, ${either(sql`device`)}, ${either(sql`inode`)},
      ${named(sql`owner`)}, ${named(sql`\`group\``)}, p.mode, p.link_target,
      ${moment(sql`created`)}, ${moment(sql`modified`)}, ${moment(sql`accessed`)}, ${either(sql`etag`)},
      p.storage_class, ${moment(sql`backup_date`)}, p.metadata
    FROM (${placed(commit)}) AS p
    LEFT JOIN ${seen} AS s ON p.parent_now = s.parent_path AND p.name_now = s.name
    WHERE s.isSeen = 0 OR s.is_directory = p.is_directory`
}

/** The content of a moved folder is not sent again, so it must be in the known snapshot. */
async function refuseUnknownMoves(commit: Commit): Promise<void> {
  const { staging } = tablesOf(commit.scan.id)
  const { unknown } = await commit.clickhouse.one<{ unknown: number }>(sql`
    SELECT toFloat64(count()) AS unknown FROM ${staging}
    WHERE kind = ${kindOf.gone} AND attempt > 0 AND moved_to != ''
      AND moved_to IN (SELECT concat(parent_path, name) FROM ${staging} WHERE kind = ${kindOf.entry} AND is_directory AND attempt > 0)
      AND (parent_path, name) NOT IN (SELECT parent_path, name FROM ${known(commit)} AND is_directory)`)
  if (unknown > 0) await refuse(commit, `The list of changes moves ${unknown} folders that are not known`)
}

/** Refuses a delta if the folder of an entry has no entry itself. */
async function refuseOrphans(commit: Commit): Promise<void> {
  const { staging } = tablesOf(commit.scan.id)
  const { orphans } = await commit.clickhouse.one<{ orphans: number }>(sql`
    SELECT toFloat64(count()) AS orphans
    FROM (SELECT DISTINCT parent_path FROM ${staging} WHERE kind = ${kindOf.entry} AND parent_path != '')
    WHERE parent_path NOT IN (
      SELECT concat(parent_path, name, '/') FROM ${staging} WHERE kind = ${kindOf.entry} AND is_directory)`)
  if (orphans > 0) await refuse(commit, `The list of changes leaves ${orphans} folders without an entry`)
}
