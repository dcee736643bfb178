import type { Entry } from '#events/entries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { asEntries } from './asEntries.ts'
import { entryColumns, type EntryRecord } from './entryRecord.ts'

/** The entry of a snapshot that matches a condition; undefined if none does. */
export async function findEntry(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { from = entriesAt(snapshot), where, deleted = false }: { from?: Sql; where: Sql; deleted?: boolean },
): Promise<Entry | undefined> {
  const records = await clickhouse.rows<EntryRecord>(sql`SELECT ${entryColumns} FROM ${from} WHERE ${where} LIMIT 1`)
  const [entry] = await asEntries(clickhouse, records, { snapshot, deleted })
  return entry
}

/** Condition: an entry has this hexadecimal id; answered by the index of ids. */
export const hasId = (fileId: string): Sql => sql`file_id = ${typed(BigInt(`0x${fileId}`).toString(), 'UInt64')}`
