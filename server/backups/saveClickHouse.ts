import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join as joined, name, sql } from '#server/platform/sql.ts'
import type { KeptTable, Part } from './clickhouseRows.ts'
import type { BackupFile } from './manifest.ts'
import { examine } from './packedFile.ts'

/** A hundred million entries take some minutes, beside all that is asked meanwhile. */
const mostSeconds = 4 * 3_600

/** Writes the rows of one part as text, which is the same from every kind of ClickHouse. */
export async function savePart(clickhouse: ClickHouse, folder: string, part: Part): Promise<BackupFile> {
  const path = `clickhouse/${part.name}.zst`
  const columns = await columnsOf(clickhouse, part.table)
  const question = sql`SELECT ${joined(columns.map(name), ', ')} FROM ${part.rows}`
  await clickhouse.save(question, 'TabSeparated', join(folder, path), { heavy: true, seconds: mostSeconds })
  return { path, store: 'clickhouse', table: part.table, columns, ...(await examine(join(folder, path))) }
}

/** Those that are stored, and not worked out of others. */
async function columnsOf(clickhouse: ClickHouse, table: KeptTable): Promise<string[]> {
  const columns = await clickhouse.rows<{ name: string }>(sql`
    SELECT name FROM system.columns
    WHERE database = currentDatabase() AND table = ${table} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')
    ORDER BY position`)
  return columns.map((column) => column.name)
}
