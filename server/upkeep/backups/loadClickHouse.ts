import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { name, sql } from '#server/platform/clickhouse/sql.ts'
import { createTable, dropTable } from '#server/platform/clickhouse/statements.ts'
import { type BackupFile, damaged, type FileKey } from './manifest.ts'
import { chunksOf, rowsOf } from './packedFile.ts'

/** Bytes per insert: some ten thousand entries. */
const piece = 16 * 1024 ** 2

/** Fills empty tables and compares the result with the backup's counts. */
export async function loadClickHouse(
  clickhouse: ClickHouse,
  folder: string,
  files: BackupFile[],
  key: FileKey,
): Promise<void> {
  for (const file of files) await loadFile(clickhouse, folder, file, key)
  for (const [table, some] of Map.groupBy(files, ({ table }) => table)) {
    const { rows } = await clickhouse.one<{ rows: number }>(
      sql`SELECT toFloat64(count()) AS rows FROM ${name(table)} ${finalIf(table)}`,
    )
    if (rows !== some.reduce((sum, file) => sum + file.rows, 0)) throw damaged(`what it has of ${table}`)
  }
}

/** Adds the rows of a file to its table. */
export async function loadFile(clickhouse: ClickHouse, folder: string, file: BackupFile, key: FileKey): Promise<void> {
  const { path, table, columns } = file
  let n = 0
  for await (const rows of chunksOf(rowsOf(folder, file, key), piece))
    await clickhouse.insert(table, columns, rows, `restore.${path.replaceAll('/', '.')}.${++n}`)
}

/** The engine merges rows of a table that keeps the newest row of each key at any time. */
const finalIf = (table: string) => (table === 'entry_tags' ? sql`FINAL` : sql``)

/** This table exists during a restore, so an interrupted restore can be recognized. */
const marker = 'unfinished_restore'

export const isUnfinished = async (clickhouse: ClickHouse): Promise<boolean> =>
  (await clickhouse.tables()).includes(marker)

/** Returns whether nothing was ever stored here, except by an interrupted restore. */
export async function isFree(clickhouse: ClickHouse): Promise<boolean> {
  const tables = await clickhouse.tables()
  return tables.length === 0 || tables.includes(marker)
}

/** Begins a restore; drops the data of an interrupted one. */
export async function beginLoading(clickhouse: ClickHouse): Promise<void> {
  await dropLoaded(clickhouse)
  await clickhouse.command(
    createTable(marker, { columns: sql`at DateTime`, clauses: sql`ORDER BY at`, ifNotExists: true }),
  )
}

/** Drops the marker last. */
export async function dropLoaded(clickhouse: ClickHouse): Promise<void> {
  const tables = await clickhouse.tables()
  for (const table of tables.filter((each) => each !== marker)) await clickhouse.command(dropTable(table))
  await endLoading(clickhouse)
}

export const endLoading = (clickhouse: ClickHouse): Promise<void> => clickhouse.command(dropTable(marker))
