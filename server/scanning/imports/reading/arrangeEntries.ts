import { entryColumns } from '#events/scans/entryRow.ts'
import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { createTableLike, dropTable, exchangeTables } from '#server/platform/clickhouse/statements.ts'

/** Paths that an export has more than once, each with the number of its further entries. */
export type Repeated = { path: string; more: number }[]

/** Repeated paths that are named. */
const maxNamed = 100

/**
 * Brings the staged entries of an export into the form of a scan: paths without the folder that contains them all; entries with others below them as
 * folders; one entry of each path; and an entry of the storage itself. Returns the repeated paths.
 */
export async function arrangeEntries(clickhouse: ClickHouse, id: number, prefix: string): Promise<Repeated> {
  const { staging: staged, next } = tablesOf(id)
  await clickhouse.command(dropTable(next))
  await clickhouse.command(createTableLike(next, staged))
  await insertFrom(clickhouse, next, arranged(staged, prefix))
  const repeated = await repeatedIn(clickhouse, next)
  const isWhole = repeated.length === 0
  await clickhouse.command(exchangeTables(staged, next))
  await clickhouse.command(dropTable(next))
  if (isWhole) return []
  await clickhouse.command(createTableLike(next, staged))
  const once = sql`LIMIT 1 BY parent_path, name, is_directory, kind`
  await insertFrom(
    clickhouse,
    next,
    sql`SELECT * FROM (SELECT * FROM ${staged} ORDER BY parent_path, name, is_directory, kind, batch ${once})`,
  )
  await clickhouse.command(exchangeTables(staged, next))
  await clickhouse.command(dropTable(next))
  return repeated
}

/** The rows with their place below the prefix, `a/b`. */
function arranged(staged: Sql, prefix: string): Sql {
  const root = `/${prefix}/`
  // Qualified, because the engine would take the new columns for the old ones.
  const path = sql`concat(f.parent_path, f.name, '/')`
  const rows =
    prefix === ''
      ? staged
      : sql`(
        SELECT f.* REPLACE (
          if(${path} = ${root}, '', substring(f.parent_path, ${Buffer.byteLength(root)})) AS parent_path,
          if(${path} = ${root}, '', f.name) AS name)
        FROM ${staged} AS f WHERE startsWith(${path}, ${root}))`
  return sql`
    SELECT ${text(entryColumns.map(([column]) => `\`${column}\``).join(', '))} FROM (
      SELECT f.* REPLACE (f.is_directory OR ${path} IN (SELECT DISTINCT parent_path FROM ${rows}) AS is_directory)
      FROM ${rows} AS f)`
}

const repeatedIn = (clickhouse: ClickHouse, table: Sql): Promise<Repeated> =>
  clickhouse.rows(
    sql`
    SELECT concat(parent_path, name) AS path, toFloat64(count() - 1) AS more FROM ${table} WHERE kind = ${kindOf.entry}
    GROUP BY parent_path, name, is_directory HAVING more > 0 ORDER BY path LIMIT ${maxNamed}
    SETTINGS optimize_aggregation_in_order = 1, max_bytes_before_external_group_by = 268435456`,
    { seconds: 600 },
  )

export async function isEmpty(clickhouse: ClickHouse, id: number): Promise<boolean> {
  const found = await clickhouse.rows(sql`SELECT 1 FROM ${tablesOf(id).staging} WHERE kind = ${kindOf.entry} LIMIT 1`)
  return found.length === 0
}
