import { type SelectQueryBuilder, sql } from 'kysely'
import { invalid } from '#server/platform/problem.ts'

/**
 * Throws 400 if a row named by a draft is not among `rows`; `what` describes the valid rows. Locks the row, so it can't
 * be deleted until the transaction ends.
 */
export async function checkExists<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
  { id, field, what }: { id: number; field: string; what: string },
): Promise<void> {
  const named = rows.where(sql.ref('id'), '=', id).select(sql<number>`1`.as('found'))
  if (!(await named.forKeyShare().executeTakeFirst())) invalid(field, `must be ${what}`)
}
