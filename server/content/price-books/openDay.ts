import { sql } from 'kysely'
import { today } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'

/** Entries of one owner, each from its day `since` on. */
type Entries = { table: 'storagePriceChanges' | 'volumePriceChanges'; owner: 'storagePriceId' | 'volumeId'; id: number }

/**
 * Makes room for an entry from a day on: the first one, which applies to all days before it too, ends on the day before. Throws 400 at
 * `field` for a day in a month that is closed for some project. Months that a deleted project didn't finish are open.
 */
export async function openDay(trx: Trx, { table, owner, id }: Entries, day: string, field: string): Promise<void> {
  if (day >= today()) return
  const { rows } = await sql<{ first: string | null }>`
    SELECT ((max(month) || '-01')::date + interval '1 month')::date AS first FROM project_statements
    WHERE deleted_on IS NULL OR month < to_char(deleted_on, 'YYYY-MM')`.execute(trx)
  const first = rows[0]?.first
  if (first && day < first) invalid(field, `must be ${first} or later: statements of earlier months are closed`)
  const own = sql`${sql.ref(owner)} = ${id}`
  await sql`
    UPDATE ${sql.table(table)} SET since = ${day}::date - 1
    WHERE ${own} AND since > ${day} AND since <= ${today()}
      AND since = (SELECT min(since) FROM ${sql.table(table)} WHERE ${own})`.execute(trx)
}
