import { type SelectQueryBuilder, sql } from 'kysely'
import { invalid } from '#server/platform/problem.ts'

/**
 * Throws 400 for a row that a draft names and that is not among `rows`; `what` says what it must be. One that is there is
 * held: nobody deletes it until the transaction is over.
 */
export async function checkExists<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
  { id, field, what }: { id: number; field: string; what: string },
): Promise<void> {
  const named = rows.where(sql.ref('id'), '=', id).select(sql<number>`1`.as('found'))
  if (!(await named.forKeyShare().executeTakeFirst())) invalid(field, `must be ${what}`)
}
