import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { name, sql } from '#server/platform/clickhouse/sql.ts'
import { type BackupFile, damaged } from './manifest.ts'
import { chunksOf } from './packedFile.ts'

/** Bytes that are inserted at once: some ten thousand entries. */
const piece = 16 * 1024 ** 2

/** Fills tables that are empty, and compares what they then have with what the backup says. */
export async function loadClickHouse(clickhouse: ClickHouse, folder: string, files: BackupFile[]): Promise<void> {
  for (const { path, table, columns } of files) {
    let n = 0
    for await (const rows of chunksOf(join(folder, path), piece))
      await clickhouse.insert(table, columns, rows, `restore.${path.replaceAll('/', '.')}.${++n}`)
  }
  for (const [table, some] of Map.groupBy(files, ({ table }) => table)) {
    const { rows } = await clickhouse.one<{ rows: number }>(
      sql`SELECT toFloat64(count()) AS rows FROM ${name(table)} ${finalIf(table)}`,
    )
    if (rows !== some.reduce((sum, file) => sum + file.rows, 0)) throw damaged(`what it has of ${table}`)
  }
}

/** Pieces of a table that keeps the newest row of each key are joined whenever the engine likes. */
const finalIf = (table: string) => (table === 'entry_tags' ? sql`FINAL` : sql``)

/** Stands while a restore is under way, so that what one that was cut short left is known for that. */
const marker = 'unfinished_restore'

/** The tables that there are. */
const tablesOf = async (clickhouse: ClickHouse): Promise<string[]> => {
  const tables = await clickhouse.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase()`,
  )
  return tables.map((table) => table.name)
}

export const isUnfinished = async (clickhouse: ClickHouse): Promise<boolean> =>
  (await tablesOf(clickhouse)).includes(marker)

/** Whether nothing was ever stored here, or only by a restore that was cut short. */
export async function isFree(clickhouse: ClickHouse): Promise<boolean> {
  const tables = await tablesOf(clickhouse)
  return tables.length === 0 || tables.includes(marker)
}

/** Begins a restore: what one that was cut short left goes. */
export async function beginLoading(clickhouse: ClickHouse): Promise<void> {
  await dropLoaded(clickhouse)
  await clickhouse.command(sql`CREATE TABLE IF NOT EXISTS ${name(marker)} (at DateTime) ENGINE = MergeTree ORDER BY at`)
}

/** Leaves the marker to the last. */
export async function dropLoaded(clickhouse: ClickHouse): Promise<void> {
  const tables = await tablesOf(clickhouse)
  for (const table of tables.filter((each) => each !== marker))
    await clickhouse.command(sql`DROP TABLE ${name(table)} SYNC`)
  await endLoading(clickhouse)
}

export const endLoading = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.command(sql`DROP TABLE IF EXISTS ${name(marker)} SYNC`)
