import type { ClickHouse } from './index.ts'
import { type Sql, sql, text } from './sql.ts'

/** Both sides of a join are read in key order, so that memory does not grow with the volume; large sorts go to disk. */
const settings = text(`SETTINGS join_algorithm = 'full_sorting_merge', max_threads = 2, max_insert_threads = 2,
  max_block_size = 16384, min_insert_block_size_rows = 262144, min_insert_block_size_bytes = 134217728,
  optimize_aggregation_in_order = 1,
  max_bytes_before_external_group_by = 268435456, max_bytes_before_external_sort = 268435456`)

/** Replaces a table with the result of a query. */
export async function recreateTable(clickhouse: ClickHouse, table: Sql, order: string, question: Sql): Promise<void> {
  await clickhouse.command(sql`DROP TABLE IF EXISTS ${table} SYNC`)
  await clickhouse.command(
    sql`CREATE TABLE ${table} ENGINE = MergeTree ORDER BY ${text(order)} AS ${question} ${settings}`,
  )
}

/** Adds the result of a query to a table. */
export const insertFrom = (clickhouse: ClickHouse, into: Sql, question: Sql): Promise<void> =>
  clickhouse.command(sql`INSERT INTO ${into} ${question} ${settings}`)
