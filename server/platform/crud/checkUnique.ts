import { type SelectQueryBuilder, sql } from 'kysely'
import { invalid } from '#server/platform/problem.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

/** A name that must be unique: its column, and the row that may already have it. */
type Name = { value: string; column?: string | undefined; own?: number | undefined }

/**
 * The rows among which a name must be unique, as a query: `trx.selectFrom('agents').where('deletedAt', 'is', null)`.
 */
type Rows<TB extends keyof Tables> = SelectQueryBuilder<Tables, TB, object>

/** Returns whether another row has the name, ignoring case. */
async function isTaken<TB extends keyof Tables>(rows: Rows<TB>, name: Name): Promise<boolean> {
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
 * Throws 400 if another row has the name, ignoring case. `field` is the name in the form, the column by default;
 * `message` follows the field in the text that users read.
 */
export async function checkUnique<TB extends keyof Tables>(
  rows: Rows<TB>,
  { field, message, ...name }: Name & { field?: string; message?: string },
): Promise<void> {
  if (await isTaken(rows, name))
    invalid(field ?? name.column ?? 'name', message ?? `should be unique, ${name.value} already exists`)
}
