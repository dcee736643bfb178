import { sql } from 'kysely'
import type { Trx } from '#server/platform/eventLog.ts'
import { conflict } from '#server/platform/problem.ts'

/**
 * Makes a change of accounts in the transaction. Throws 409 when it leaves no administrator who is enabled and has a password
 * here: those of a single sign-on cannot sign in while the provider is down. All of them are locked before, so that of two
 * who take the role from each other one is refused.
 */
export async function keepAdministrator<T>(trx: Trx, change: () => Promise<T>): Promise<T> {
  const administrators = trx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'ROLE_ADMIN' = any(roles)`)
    .where('disabledAt', 'is', null)
    .where('passwordHash', 'is not', null)
    .orderBy('id')
  const before = await administrators.forUpdate().execute()
  const result = await change()
  if (before.length > 0 && !(await administrators.limit(1).executeTakeFirst())) {
    conflict('There must be an enabled administrator with a password. Make another one first.', 'last-administrator')
  }
  return result
}
