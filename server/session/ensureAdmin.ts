import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { hashPassword, makePassword } from '#server/platform/password.ts'
import type { Db } from '#server/platform/postgres.ts'

/**
 * Makes the account `admin` at the first start, and whenever there is no administrator with a password; returns its password
 * when it was made up, to be shown this once.
 */
export async function ensureAdmin(
  db: Db,
  { adminPassword }: Pick<Config, 'adminPassword'>,
): Promise<string | undefined> {
  const known = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'ROLE_ADMIN' = any(roles)`)
    .where('passwordHash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (known) return undefined
  const password = adminPassword ?? makePassword()
  const passwordHash = await hashPassword(password)
  const made = await db
    .insertInto('users')
    .values({ name: 'admin', passwordHash, roles: ['ROLE_ADMIN'] })
    .onConflict((on) => on.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made && adminPassword === undefined ? password : undefined
}
