import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Rows } from './selectFound.ts'

/** Number of files and folders, and the bytes of the files. */
export type Counts = { files: number; folders: number; bytes: number }

const maxSeconds = 600

export const countRows = ({ rows }: Pick<ClickHouse, 'rows'>, { from, where }: Rows): Promise<Counts> =>
  rows<Counts>(
    sql`
      SELECT toFloat64(countIf(NOT is_directory)) AS files, toFloat64(countIf(is_directory)) AS folders,
        toFloat64(sumIf(greatest(size, 0), NOT is_directory)) AS bytes
      FROM ${from} WHERE ${where}`,
    { heavy: true, seconds: maxSeconds },
  ).then(([counts]) => counts ?? { files: 0, folders: 0, bytes: 0 })

/** Stores the results of a run, replacing those of an earlier attempt. */
export async function keepFound(clickhouse: ClickHouse, run: number, { from, where }: Rows): Promise<void> {
  await dropRuns(clickhouse, [run])
  await clickhouse.change(sql`
    INSERT INTO report_entries (run, volume, parent_path, name, is_directory, size)
    SELECT ${run}, volume, parent_path, name, is_directory, size FROM ${from} WHERE ${where}
    SETTINGS max_threads = 2, max_insert_threads = 2`)
}

/** The stored results of a run. */
export const rowsOfRun = (run: number): Rows => ({ from: sql`report_entries`, where: sql`run = ${run}` })

export async function dropRuns({ change }: Pick<ClickHouse, 'change'>, runs: readonly number[]): Promise<void> {
  for (const run of runs) await change(sql`ALTER TABLE report_entries DROP PARTITION ${run}`)
}
