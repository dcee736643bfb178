import type { ClickHouse } from './index.ts'
import { type Sql, sql, text } from './sql.ts'
import { createTable, dropTable, insertInto, type Table } from './statements.ts'

/** Both sides of a join are read in key order, so that memory does not grow with the volume; large sorts go to disk. */
const settings = text(`SETTINGS join_algorithm = 'full_sorting_merge', max_threads = 2, max_insert_threads = 2,
  max_block_size = 16384, min_insert_block_size_rows = 262144, min_insert_block_size_bytes = 134217728,
  optimize_aggregation_in_order = 1,
  max_bytes_before_external_group_by = 268435456, max_bytes_before_external_sort = 268435456`)

/** Replaces a table with the result of a query. With `columns` and their types the engine plans the query once instead of twice. */
export async function recreateTable(
  clickhouse: ClickHouse,
  table: Table,
  order: string,
  question: Sql,
  columns?: string,
): Promise<void> {
  const definition = { clauses: text(`ORDER BY ${order}`), rows: sql`${question} ${settings}` }
  await clickhouse.command(dropTable(table))
  await clickhouse.command(createTable(table, columns ? { columns: text(columns), ...definition } : definition))
}

/** Adds the result of a query to a table. `columns` are its columns, if they aren't those of the table. */
export const insertFrom = (clickhouse: ClickHouse, table: Table, question: Sql, columns?: string): Promise<void> =>
  clickhouse.command(insertInto(table, sql`${question} ${settings}`, columns))
