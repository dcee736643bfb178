import type { Entry } from '#events/entries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { entriesAt, type Snapshot } from '#server/snapshots/index.ts'
import { asEntries } from './asEntries.ts'
import { entryColumns, type EntryRecord } from './entryRecord.ts'

/** The one entry of a snapshot that a condition means; nothing when there is none. */
export async function findEntry(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { from = entriesAt(snapshot), where, deleted = false }: { from?: Sql; where: Sql; deleted?: boolean },
): Promise<Entry | undefined> {
  const records = await clickhouse.rows<EntryRecord>(sql`SELECT ${entryColumns} FROM ${from} WHERE ${where} LIMIT 1`)
  const [entry] = await asEntries(clickhouse, records, { snapshot, deleted })
  return entry
}

/** Whether an entry has an id, in hexadecimal; the index of ids answers that. */
export const hasId = (fileId: string): Sql => sql`file_id = ${typed(BigInt(`0x${fileId}`).toString(), 'UInt64')}`
