import { type SelectQueryBuilder, sql } from 'kysely'
import { invalid } from '#server/platform/problem.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

/** A name that is to be given once: in which column it stands, and which row may have it already. */
type Name = { value: string; column?: string | undefined; own?: number | undefined }

/** The rows among which a name is to be unique, as a query: `trx.selectFrom('agents').where('deletedAt', 'is', null)`. */
type Rows<TB extends keyof Tables> = SelectQueryBuilder<Tables, TB, object>

/** Whether another row has the name, in whatever case. */
export async function isTaken<TB extends keyof Tables>(rows: Rows<TB>, name: Name): Promise<boolean> {
  const { value, column = 'name', own = 0 } = name
  const taken = await rows
    .select(sql<number>`1`.as('taken'))
    .where(sql`lower(${sql.ref(column)})`, '=', sql`lower(${value})`)
    .where(sql.ref('id'), '!=', own)
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * Throws 400 for a name that another row has, in whatever case. `field` is what the form calls it, the column if not said;
 * `message` follows the field in what users read.
 */
export async function checkUnique<TB extends keyof Tables>(
  rows: Rows<TB>,
  { field, message, ...name }: Name & { field?: string; message?: string },
): Promise<void> {
  if (await isTaken(rows, name))
    invalid(field ?? name.column ?? 'name', message ?? `should be unique, ${name.value} already exists`)
}
