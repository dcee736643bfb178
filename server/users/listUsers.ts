import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid } from '#server/platform/problem.ts'

const sortable = { name: sql`lower(name)`, createdAt: sql`created_at`, lastSignInAt: sql`last_sign_in_at` }
const isSortable = (column: string): column is keyof typeof sortable => Object.hasOwn(sortable, column)

/** A page of the accounts, the disabled ones among them; by name unless asked otherwise. */
export async function listUsers(db: Db, { page, size, sort = 'name', direction = 'asc' }: PageQuery) {
  if (!isSortable(sort)) return invalid('sort', `must be one of ${Object.keys(sortable).join(', ')}`)
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'roles', 'issuer', 'hasOneTimePassword', 'createdAt', 'lastSignInAt', 'disabledAt'])
    .orderBy(sortable[sort], (by) => (direction === 'asc' ? by.asc() : by.desc()).nullsLast())
    .orderBy('id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const elements = rows.map(({ issuer, disabledAt, createdAt, lastSignInAt, ...user }) => ({
    ...user,
    isDisabled: disabledAt !== null,
    isOfProvider: issuer !== null,
    createdAt: createdAt.toISOString(),
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
  }))
  return { elements, page, size, total, sort, direction }
}
