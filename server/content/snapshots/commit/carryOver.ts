import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { dropPartition } from '#server/platform/clickhouse/statements.ts'
import { carryRows, marks } from './carriedRows.ts'
import { carryAllBut } from './carryDelta.ts'
import { isInAny, nearestOf } from '#server/platform/clickhouse/paths.ts'
import { type Commit, known, type StagedRows } from './commit.ts'
import { countStaged } from './rollUp.ts'
import { recreateTable } from '#server/platform/clickhouse/largeTables.ts'

/**
 * Adds known entries that this scan did not look at to staging, as attempt 0: all outside the scanned path, entries
 * below unreadable folders, and entries whose attributes were unreadable. Entries missing from a listed folder, or
 * formerly inside such an entry, vanished and are not carried over. For a delta, entries in its scope that it doesn't
 * name are carried over. Returns the numbers of staged rows afterwards.
 */
export async function carryOver(commit: Commit, rows: StagedRows): Promise<StagedRows> {
  const { clickhouse, scan, volume } = commit
  const hasLeftovers = rows.carried > 0
  // Dropping a partition takes a tenth of a second, even if it doesn't exist.
  if (hasLeftovers) await clickhouse.command(dropPartition(tablesOf(scan.id).staging, 0))
  const { unreadable, unknown, deltas } = hasLeftovers ? await countStaged(commit) : rows
  const mayCarry = volume.generation !== null && (scan.scannedPath !== '' || unreadable + unknown + deltas > 0)
  if (mayCarry) await carryInto(commit, { unreadable, unknown, deltas })
  return hasLeftovers || mayCarry ? countStaged(commit) : rows
}

type Gaps = Pick<StagedRows, 'unreadable' | 'unknown' | 'deltas'>

async function carryInto(commit: Commit, { unreadable, unknown, deltas }: Gaps): Promise<void> {
  const { scan } = commit
  const { staging } = tablesOf(scan.id)
  if (scan.scannedPath !== '') await carry(commit, outside(scan.scannedPath), { kinds: unlessSeenOnTheWay(commit) })
  if (deltas > 0) return carryAllBut(commit)
  if (unreadable > 0) await carryUnread(commit)
  if (unknown > 0)
    await carry(
      commit,
      sql`(parent_path, name, is_directory) IN (
        SELECT parent_path, name, is_directory FROM ${staging} WHERE kind = ${kindOf.entry} AND size = -1 AND attempt > 0)`,
      { batch: 1, kinds: sql`[${kindOf.entry}]` },
    )
}

const withMarks = sql`arrayConcat([${kindOf.entry}], ${marks})`

/** Folders above the scanned one arrive with the scan, but are not listed by it. */
const unlessSeenOnTheWay = ({ scan }: Commit): Sql => sql`
  arrayConcat(if((parent_path, name, is_directory) IN (
    SELECT parent_path, name, is_directory FROM ${tablesOf(scan.id).staging}
    WHERE kind = ${kindOf.entry} AND attempt > 0 AND length(parent_path) + length(name) < ${Buffer.byteLength(scan.scannedPath)}
  ), [], [${kindOf.entry}]), ${marks})`

/** Batch 1 replaces the row that the scan has of the same entry. */
const carry = (commit: Commit, condition: Sql, { batch = 0, kinds = withMarks } = {}): Promise<void> =>
  carryRows(commit, { from: sql`(SELECT * FROM ${known(commit)} AND ${condition}) AS p`, batch: sql`${batch}`, kinds })

/** Outside the scanned folder, and not a file where the path to that folder now leads through. */
function outside(scannedPath: string): Sql {
  const folders = scannedPath.split('/').slice(1, -1)
  const above = folders.map((_, i) => `/${folders.slice(0, i + 1).join('/')}`)
  const through = sql`concat(parent_path, name) IN ${above}`
  return sql`concat(parent_path, name) != ${scannedPath} AND NOT startsWith(parent_path, ${`${scannedPath}/`})
    AND NOT (NOT is_directory AND inode != 0 AND ${through})`
}

/** Carries over known entries below folders that were not read to their end, unless the scan has newer ones. */
async function carryUnread(commit: Commit): Promise<void> {
  const { clickhouse, scan } = commit
  const { staging, carried } = tablesOf(scan.id)
  await recreateTable(clickhouse, carried, 'folder', unreadFolders(commit))
  const folders = sql`SELECT folder FROM ${carried}`
  const seenThere = sql`FROM ${staging} WHERE kind = ${kindOf.entry} AND attempt > 0 AND parent_path IN (${folders})`
  const unread = sql`(SELECT concat(parent_path, name, '/') FROM ${staging} WHERE kind = ${kindOf.unreadable} AND attempt > 0)`
  const itself = sql`is_directory AND concat(parent_path, name, '/') IN ${unread}`
  const { found } = await clickhouse.one<{ found: number }>(sql`
    SELECT toFloat64(count()) AS found FROM ${staging}
    WHERE kind = ${kindOf.entry} AND attempt > 0 AND concat(parent_path, name) = ${scan.scannedPath} AND is_directory`)
  await carry(
    commit,
    sql`parent_path IN (${folders}) AND (parent_path, name, is_directory) NOT IN (
          SELECT parent_path, name, is_directory ${seenThere})
        AND NOT (inode != 0 AND (parent_path, name) IN (SELECT parent_path, name ${seenThere} AND inode != 0))`,
  )
  await carry(commit, sql`${itself} AND unrecorded_files > 0`, { kinds: sql`[${kindOf.listed}]` })
  if (found === 0)
    await carry(commit, sql`${itself} AND concat(parent_path, name) = ${scan.scannedPath}`, {
      kinds: sql`[${kindOf.entry}]`,
    })
}

/**
 * Known folders whose nearest marked folder could not be read. A file in the scan removes the known content of a folder
 * with its name.
 */
function unreadFolders(commit: Commit): Sql {
  const { staging } = tablesOf(commit.scan.id)
  const path = sql`concat(parent_path, name, '/')`
  const unread = sql`SELECT ${path} AS folder FROM ${staging} WHERE kind = ${kindOf.unreadable} AND attempt > 0`
  const belowUnread = (folders: Sql) => sql`SELECT folder FROM (${folders}) WHERE ${isInAny(sql`folder`, unread)}`
  const closed = sql`
    SELECT ${path} AS folder FROM ${staging} WHERE kind = ${kindOf.listed} AND attempt > 0
    UNION ALL
    SELECT ${path} FROM ${staging}
    WHERE kind = ${kindOf.entry} AND NOT is_directory AND inode != 0 AND attempt > 0 AND parent_path IN (${unread})`
  const marked = sql`${unread} UNION ALL ${belowUnread(closed)}`
  const knownFolders = sql`SELECT DISTINCT parent_path AS folder FROM ${known(commit)}`
  return sql`
    SELECT folder FROM (${belowUnread(knownFolders)})
    WHERE ${nearestOf(sql`folder`, marked)} IN (${unread})`
}
