import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { isConstraintError, kindOf, staging, tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { createTable, dropTable } from '#server/platform/clickhouse/statements.ts'
import { insertFrom, recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import { foldersAbove, isInAny } from '#server/platform/clickhouse/paths.ts'
import { type Commit, known } from '#server/content/snapshots/commit/commit.ts'
import { firstLiveScan } from '#server/content/snapshots/reading/entriesAt.ts'

/*
 * A flush becomes a list of changes (a delta) from the live state: the entries of listed folders, what these lack as removed, and moved folders. Its
 * tables are those of numbers that no scan has: of one for the blocks as they came, and of another for the list.
 */

/** Numbers of the tables for flushes of a volume. */
export const flushTables = (volumeId: number): number => firstLiveScan + 2 * volumeId
const rawTables = (volumeId: number): number => flushTables(volumeId) + 1

/** A flush that no agent of this version sends. */
export class MalformedFlush extends Error {}

/** Stages the blocks as a list of changes. The known contents of folders that can't be read stay. Throws `MalformedFlush`. */
export async function stageFlush(commit: Commit, blocks: readonly Buffer[]): Promise<void> {
  const { clickhouse, volume } = commit
  await stageBlocks(commit, blocks)
  const raw = tablesOf(rawTables(volume.id))
  await recreateTable(clickhouse, raw.carried, 'folder', missingFolders(commit))
  const { staging: list } = tablesOf(flushTables(volume.id))
  await clickhouse.command(dropTable(list))
  const isThere = sql`NOT ${isInAny(sql`parent_path`, sql`SELECT folder FROM ${raw.carried}`)}
    AND (kind = ${kindOf.entry} OR concat(parent_path, name, '/') NOT IN (SELECT folder FROM ${raw.carried}))`
  await clickhouse.command(
    createTable(list, {
      clauses: sql`PARTITION BY attempt ORDER BY (parent_path, name, is_directory, kind)`,
      rows: sql`
        SELECT * FROM ${raw.staging} WHERE kind IN (${kindOf.entry}, ${kindOf.listed}) AND ${isThere}
          AND NOT (kind = ${kindOf.entry} AND is_directory AND concat(parent_path, name, '/') IN (SELECT folder FROM ${raw.carried}))
        ORDER BY size = -1 LIMIT 1 BY parent_path, name, kind, is_directory`,
    }),
  )
  await insertFrom(
    clickhouse,
    list,
    goneEntries(commit),
    'attempt, batch, kind, is_directory, parent_path, name, moved_to',
  )
}

async function stageBlocks({ clickhouse, volume }: Commit, blocks: readonly Buffer[]): Promise<void> {
  const number = rawTables(volume.id)
  await staging.drop(clickhouse, number)
  await staging.create(clickhouse, number, { hasKeys: volume.hasKeys === true, comparedWith: 0 })
  for (const [at, block] of blocks.entries()) {
    const checked = checkBlock(block)
    if (typeof checked === 'string') throw new MalformedFlush(checked)
    await staging.insertBatch(clickhouse, number, { attempt: 1, batch: at + 1 }, checked).catch((error: unknown) => {
      throw isConstraintError(error) ? new MalformedFlush('rows that cannot be') : error
    })
  }
  await clickhouse.settle(`scan_${number}`)
  const { unfit } = await clickhouse.one<{ unfit: number }>(sql`
    SELECT toFloat64(count()) AS unfit FROM (
      SELECT concat(parent_path, name, '/') AS folder, children, kind, partial, moved_to FROM ${tablesOf(number).staging}
      WHERE kind != ${kindOf.entry} OR partial
    ) AS marks
    LEFT JOIN (
      SELECT parent_path AS folder, uniqExact(name, is_directory) AS found FROM ${tablesOf(number).staging} WHERE kind = ${kindOf.entry} GROUP BY folder
    ) AS entries USING folder
    WHERE kind NOT IN (${kindOf.listed}, ${kindOf.unreadable}, ${kindOf.gone}) OR moved_to != '' OR partial OR (kind = ${kindOf.listed} AND found < children)`)
  if (unfit > 0) throw new MalformedFlush('a folder without all of its entries')
}

/** The listed folders of the flush, as '/a/b/'. */
const listed = (table: Sql): Sql =>
  sql`(SELECT concat(parent_path, name, '/') FROM ${table} WHERE kind = ${kindOf.listed})`

/** Entries that are gone from folders whose unchanged files are not in the flush. */
const named = ({ volume }: Pick<Commit, 'volume'>): Sql =>
  sql`(SELECT toString(parent_path), name FROM ${tablesOf(rawTables(volume.id)).staging} WHERE kind = ${kindOf.gone})`

/**
 * Folders above staged entries that are not there after the flush: an entry may come from a folder that vanished while others were listed. A folder is there
 * if it is an entry of the flush, or was known and is not missing from the listing of its parent. Where a folder was listed
 * and its parent has more entries than it counted, the folder was not in it. In buckets a file and a folder may have the same path.
 */
function missingFolders({ volume, ...commit }: Commit): Sql {
  const { staging: raw } = tablesOf(rawTables(volume.id))
  const entry = sql`kind = ${kindOf.entry}`
  const overfull = sql`(
    SELECT folder FROM (SELECT concat(parent_path, name, '/') AS folder, max(children) AS children FROM ${raw} WHERE kind = ${kindOf.listed} GROUP BY folder) AS marks
    INNER JOIN (SELECT parent_path AS folder, uniqExact(name, is_directory) AS found FROM ${raw} WHERE ${entry} GROUP BY folder) AS found USING folder
    WHERE found > children)`
  const alone = sql`(
    SELECT parent_path, name FROM ${raw} WHERE ${entry} AND is_directory AND parent_path IN ${overfull}
      AND concat(parent_path, name, '/') IN ${listed(raw)} GROUP BY parent_path, name HAVING count() = 1)`
  const staged = sql`(
    SELECT concat(parent_path, name, '/') FROM ${raw} WHERE ${entry} AND is_directory AND (parent_path, name) NOT IN ${alone} AND (toString(parent_path), name) NOT IN ${named({ volume })})`
  const above = foldersAbove(sql`
    SELECT DISTINCT toString(parent_path) AS path FROM ${raw} UNION DISTINCT
    SELECT concat(parent_path, name, '/') FROM ${raw} WHERE is_directory`)
  const parentOf = sql`substring(folder, 1, length(folder) - length(splitByChar('/', folder)[-2]) - 1)`
  const kept = sql`(
    SELECT concat(parent_path, name, '/') FROM ${known({ volume, ...commit })} AND is_directory
      AND (parent_path, name) IN (SELECT ${parentOf}, splitByChar('/', folder)[-2] FROM (${above}))
      AND parent_path NOT IN ${listed(raw)} AND (parent_path, name) NOT IN ${named({ volume })})`
  return sql`
    SELECT folder FROM (${above}) WHERE folder != '/' AND folder NOT IN ${staged} AND folder NOT IN ${kept}`
}

/**
 * Known entries that the listed folders lack, and those that an entry of another kind replaced. A folder that appeared instead of one is that one if
 * it has its number and its time of creation: a freed number alone is used again at once.
 */
function goneEntries(commit: Commit): Sql {
  const { staging: list } = tablesOf(flushTables(commit.volume.id))
  const entry = sql`kind = ${kindOf.entry}`
  const here = sql`(SELECT toString(parent_path), name, is_directory FROM ${list} WHERE ${entry})`
  const came = sql`
    SELECT concat(parent_path, name) AS path, device, inode, created FROM ${list}
    WHERE ${entry} AND is_directory AND inode != 0 AND created > 0 AND concat(parent_path, name, '/') NOT IN ${listed(list)}
      AND (parent_path, name) NOT IN (SELECT parent_path, name FROM ${known(commit)} AND is_directory
        AND (parent_path, name) IN (SELECT toString(parent_path), name FROM ${list} WHERE ${entry} AND is_directory))
    LIMIT 1 BY device, inode`
  return sql`
    SELECT 1, 0, ${kindOf.gone}, was.is_directory, was.parent_path, was.name, came.path
    FROM (
      SELECT parent_path, name, is_directory, device, if(is_directory, inode, 0) AS inode, toInt64(toUnixTimestamp(created)) AS created FROM ${known(commit)}
      AND (parent_path IN ${listed(list)} OR (parent_path, name) IN ${named(commit)} OR (parent_path, name) IN (SELECT toString(parent_path), name FROM ${list} WHERE ${entry}))
      AND (parent_path, name, is_directory) NOT IN ${here}
    ) AS was
    LEFT JOIN (${came}) AS came USING (device, inode, created)`
}

/**
 * New folders whose contents were not listed, those that may not have been after an earlier flush, and those with other links of a file that changed,
 * got a link or lost one.
 */
export async function foldersToList(commit: Commit): Promise<string[]> {
  const { staging: list } = tablesOf(flushTables(commit.volume.id))
  const rows = await commit.clickhouse.rows<{ path: string }>(sql`
    SELECT concat(parent_path, name) AS path FROM ${list}
    WHERE kind = ${kindOf.entry} AND is_directory AND attempt > 0 AND concat(parent_path, name, '/') NOT IN ${listed(list)}
      AND (parent_path, name) NOT IN (
        SELECT parent_path, name FROM ${known(commit)} AND is_directory AND (files > 0 OR folders > 0 OR from_scan < ${firstLiveScan})
          AND (parent_path, name) IN (SELECT toString(parent_path), name FROM ${list} WHERE kind = ${kindOf.entry} AND is_directory AND attempt > 0))
    UNION DISTINCT
    ${foldersOfOtherLinks(commit, list)}`)
  return rows.map(({ path }) => path).toSorted()
}

/** Only links that differ from those of the flush, so that folders with the same files don't request each other for ever. */
function foldersOfOtherLinks(commit: Commit, list: Sql): Sql {
  const file = sql`NOT is_directory AND inode != 0`
  const sent = sql`FROM ${list} WHERE kind = ${kindOf.entry} AND ${file} AND link_count > 1`
  const gone = sql`(SELECT toString(parent_path), name FROM ${list} WHERE kind = ${kindOf.gone} AND NOT is_directory)`
  const unlinked = sql`
    SELECT device, inode FROM ${known(commit)} AND ${file} AND link_count > 1 AND (parent_path, name) IN ${gone}`
  return sql`
    SELECT DISTINCT substring(parent_path, 1, length(parent_path) - 1) FROM ${known(commit)} AND ${file}
      AND (device, inode) IN (SELECT device, inode ${sent} UNION DISTINCT ${unlinked})
      AND ((device, inode, size, link_count) NOT IN (SELECT device, inode, size, link_count ${sent})
        OR (device, inode, toInt64(toUnixTimestamp(modified))) NOT IN (SELECT device, inode, modified ${sent}))
      AND parent_path NOT IN ${listed(list)}`
}
