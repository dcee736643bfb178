import { sql as postgres } from 'kysely'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { dropPartition } from '#server/platform/clickhouse/statements.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { EntryRows } from './countEntries.ts'

export async function nextSelectionId(db: Db): Promise<number> {
  const { rows } = await postgres<{ id: number }>`SELECT nextval('selection_ids') AS id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The sequence selection_ids gave no number')
  return row.id
}

/** The rows of a selection. */
export const rowsOfSelection = (id: number): EntryRows => ({
  from: sql`selected_entries`,
  where: sql`selection = ${id}`,
})

/** Drops the rows of a selection, and the states that an action gave them. */
export async function dropRows({ change }: Pick<ClickHouse, 'change'>, id: number): Promise<void> {
  await change(dropPartition('acted_files', id))
  await change(dropPartition('selected_entries', id))
}
