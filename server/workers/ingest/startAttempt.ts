import type { Listing } from '#events/sources/kinds.ts'
import type { PendingPage } from '#events/tasks.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import {
  alterColumns,
  cloneTable,
  createTable,
  dropTable,
  exchangeTables,
  removeRows,
  truncateTable,
  type Statement,
} from '#server/platform/clickhouse/statements.ts'
import { foldersAbove, isInAny } from '#server/platform/clickhouse/paths.ts'
import { kindOf, scanTableName, tablesOf } from './scanTables.ts'
import { fitMark } from './stagingTable.ts'

/** The scanned folder, or the part '' for the whole of a paged listing: all that the first attempt of a scan has to list. */
export const firstPage = (scannedPath: string, listing: Listing): PendingPage => ({
  pending: [listing === 'pages' ? '' : scannedPath],
  morePending: 0,
})

/**
 * Prepares an attempt after the first one: removes incomplete results of earlier attempts, and records the folders that
 * remain to be listed. Works on a copy that atomically replaces the table and refuses rows of older attempts, so a
 * batch still on its way is either entirely in the copy or not in it. Files that are as in the scan `comparedWith` may
 * be left out. Folders with marks of another scan are listed again.
 */
export async function startAttempt(
  clickhouse: ClickHouse,
  scanId: number,
  attempt: number,
  scannedPath = '',
  listing: Listing = 'walk',
  comparedWith?: number,
): Promise<void> {
  const { staging, next, half } = tablesOf(scanId)
  const run = (statement: Statement) => clickhouse.command(statement)
  await run(dropTable(next))
  await run(dropTable(half))
  await clickhouse.settle(scanTableName('staging', scanId))
  await run(cloneTable(next, staging))
  // An earlier attempt may be older than the column.
  await run(alterColumns(next, sql`ADD COLUMN IF NOT EXISTS not_entered LowCardinality(String)`))
  await removeUnfitRows(clickhouse, scanId, comparedWith)
  const mark = fitMark(comparedWith)
  await run(alterColumns(next, sql`DROP CONSTRAINT fit_mark, ADD CONSTRAINT fit_mark CHECK ${mark}`))
  if (listing === 'pages') await keepToCheckpoint(clickhouse, scanId)
  else await keepWholeFolders(clickhouse, scanId, scannedPath)
  await run(alterColumns(next, sql`DROP CONSTRAINT IF EXISTS this_attempt`))
  const isOfAttempt = sql`attempt = 0 OR attempt >= ${text(String(Number(attempt)))}`
  await run(alterColumns(next, sql`ADD CONSTRAINT this_attempt CHECK ${isOfAttempt}`))
  await run(exchangeTables(staging, next))
  await run(dropTable(next))
  await run(dropTable(half))
}

/**
 * Removes marks of other scans; a folder without its mark lacks these files and counts as incomplete. Rows of an
 * attempt that listed changes only are useless for a full one.
 */
async function removeUnfitRows(clickhouse: ClickHouse, scanId: number, comparedWith = 0): Promise<void> {
  const { next } = tablesOf(scanId)
  const isUnfit = sql`compared_scan != 0 AND compared_scan != ${comparedWith}`
  const { unfit, deltas } = await clickhouse.one<{ unfit: number; deltas: number }>(sql`
    SELECT toFloat64(count()) AS unfit, toFloat64(countIf(kind = ${kindOf.delta})) AS deltas FROM ${next} WHERE ${isUnfit}`)
  if (deltas > 0) await clickhouse.command(truncateTable(next))
  else if (unfit > 0) await clickhouse.command(removeRows(next, isUnfit))
}

/** Removes entries below folders that were not listed completely. The topmost of these folders are listed again. */
async function keepWholeFolders(clickhouse: ClickHouse, scanId: number, scannedPath: string): Promise<void> {
  const { next, half } = tablesOf(scanId)
  await clickhouse.command(createTable(half, { clauses: sql`ORDER BY folder`, rows: notWhole(next, scannedPath) }))
  await clickhouse.command(removeRows(next, belowAny(half, scannedPath)))
  await notePending(clickhouse, scanId, pendingFolders(next, scannedPath))
}

/**
 * Folders that were not listed completely, or are below such a folder, as '/a/b/'. They include the scanned folder if
 * only the folders above it arrived.
 */
function notWhole(table: Sql, scannedPath: string): Sql {
  const whole = sql`
    SELECT folder FROM (
      SELECT parent_path AS folder, 0 AS entry, 0 AS listed, count() AS below, 0 AS children
      FROM ${table} WHERE kind = ${kindOf.entry} GROUP BY 1
      UNION ALL
      SELECT concat(parent_path, name, '/'), kind = ${kindOf.entry}, kind = ${kindOf.listed}, if(kind = ${kindOf.unchanged}, files, 0), children
      FROM ${table} WHERE is_directory) AS f
    GROUP BY folder
    HAVING sum(f.entry) = 1 AND sum(f.listed) = 1 AND sum(f.below) = sum(f.children)`
  const paths = sql`
    SELECT DISTINCT parent_path AS path FROM ${table}
    UNION DISTINCT
    SELECT concat(${scannedPath}, '/')
    UNION DISTINCT
    SELECT concat(parent_path, name, '/') FROM ${table} WHERE is_directory`
  const lacking = sql`
    SELECT folder FROM (${foldersAbove(paths)})
    WHERE length(folder) > ${Buffer.byteLength(scannedPath)} AND folder NOT IN (${whole})`
  return sql`SELECT path AS folder FROM (${paths}) WHERE ${isInAny(sql`path`, lacking)}`
}

/**
 * Entries in these folders, and their marks. The entry of the scan's root is included, since it arrives with its
 * listing.
 */
const belowAny = (half: Sql, scannedPath: string) => sql`
  parent_path IN (SELECT folder FROM ${half})
  OR (kind != ${kindOf.entry} AND concat(parent_path, name, '/') IN (SELECT folder FROM ${half}))
  OR concat(${scannedPath}, '/') IN (SELECT folder FROM ${half})`

const pendingFolders = (next: Sql, scannedPath: string) => sql`
    SELECT concat(parent_path, name) AS path FROM ${next}
    WHERE is_directory AND length(parent_path) + length(name) >= ${Buffer.byteLength(scannedPath)}
    GROUP BY parent_path, name HAVING countIf(kind = ${kindOf.listed}) = 0
    UNION ALL
    SELECT ${scannedPath} FROM (SELECT count() AS rows FROM ${next}) WHERE rows = 0`

/**
 * Removes rows after the last checkpoint of each attempt for which all earlier batches arrived. The rest named by the
 * newest of these checkpoints is to be listed. In earlier attempts, this is where the next attempt started.
 */
async function keepToCheckpoint(clickhouse: ClickHouse, scanId: number): Promise<void> {
  const { next } = tablesOf(scanId)
  const checkpoints = await clickhouse.rows<{ attempt: number; last: number }>(sql`
    SELECT attempt, toFloat64(max(batch)) AS last
    FROM ${next} WHERE kind = ${kindOf.checkpoint} AND (attempt, batch) IN (
      SELECT attempt, batch FROM (
        SELECT attempt, batch, row_number() OVER (PARTITION BY attempt ORDER BY batch) AS number
        FROM (SELECT DISTINCT attempt, batch FROM ${next}))
      WHERE number = batch)
    GROUP BY attempt ORDER BY attempt`)
  const kept = checkpoints.map(({ attempt, last }) => sql`(attempt = ${Number(attempt)} AND batch <= ${last})`)
  await clickhouse.command(removeRows(next, sql`NOT (${join(kept, ' OR ', '0')})`))
  const newest = checkpoints.at(-1)
  const left = sql`
    SELECT arrayJoin(JSONExtract(parts, 'Array(String)')) AS path FROM ${next}
    WHERE kind = ${kindOf.checkpoint} AND attempt = ${Number(newest?.attempt)} AND batch = ${newest?.last ?? 0}`
  await notePending(clickhouse, scanId, newest ? left : sql`SELECT '' AS path`)
}

async function notePending(clickhouse: ClickHouse, scanId: number, paths: Sql): Promise<void> {
  const { pending } = tablesOf(scanId)
  await clickhouse.command(dropTable(pending))
  await clickhouse.command(createTable(pending, { clauses: sql`ORDER BY path`, rows: paths }))
}

/** A page of the folders or parts to list in an attempt after the first one, in order, and the number of later ones. */
export async function pending(
  clickhouse: ClickHouse,
  scanId: number,
  after: string | undefined,
  limit: number,
): Promise<PendingPage> {
  const left = after ? sql`path > ${after}` : sql`1`
  const { rows, total } = await clickhouse.limited<{ path: string }>(
    sql`SELECT path FROM ${tablesOf(scanId).pending} WHERE ${left} ORDER BY path LIMIT ${limit}`,
  )
  return { pending: rows.map(({ path }) => path), morePending: total - rows.length }
}
