import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'

const sortable = { name: sql`lower(name)`, createdAt: sql`created_at`, lastSignInAt: sql`last_sign_in_at` }

/** A page of the accounts, the disabled ones among them; by name unless asked otherwise. */
export async function listUsers(db: Db, { page, size, sort = 'name', direction = 'asc' }: PageQuery) {
  checkSort(sort, sortable)
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
