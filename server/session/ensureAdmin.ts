import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { hashPassword, makePassword } from '#server/platform/password.ts'
import { passwordFault } from '#server/platform/passwordRules.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * Creates the account `admin` at the first start, and whenever no administrator has a password. Returns a generated
 * password, to be shown this once. Throws, with a message for the operator, if the password from the environment is
 * weak.
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
  const fault = adminPassword !== undefined && passwordFault(adminPassword, 'admin')
  if (fault) throw new Error(`DATAINTELL_ADMIN_PASSWORD ${fault}. Set another one, or unset it to have one generated`)
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
