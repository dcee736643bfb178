import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { dropPartition, insertInto } from '#server/platform/clickhouse/statements.ts'
import type { EntryRows } from '#server/questions/selections/index.ts'

/** Stores the results of a run, replacing those of an earlier attempt. */
export async function keepFound(clickhouse: ClickHouse, run: number, { from, where }: EntryRows): Promise<void> {
  await dropRuns(clickhouse, [run])
  const rows = sql`
    SELECT ${run}, volume, parent_path, name, is_directory, size FROM ${from} WHERE ${where}
    SETTINGS max_threads = 2, max_insert_threads = 2`
  await clickhouse.change(insertInto('report_entries', rows, 'run, volume, parent_path, name, is_directory, size'))
}

/** The stored results of a run. */
export const rowsOfRun = (run: number): EntryRows => ({ from: sql`report_entries`, where: sql`run = ${run}` })

export async function dropRuns({ change }: Pick<ClickHouse, 'change'>, runs: readonly number[]): Promise<void> {
  for (const run of runs) await change(dropPartition('report_entries', run))
}
