import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'

export async function nextNumber(trx: Trx, sequence: 'job_ids' | 'task_ids'): Promise<number> {
  const { rows } = await sql<{ next: number }>`SELECT nextval(${sequence}) AS next`.execute(trx)
  const [row] = rows
  if (!row) throw new Error(`The sequence ${sequence} gave no number`)
  return row.next
}
