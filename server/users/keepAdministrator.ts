import { sql } from 'kysely'
import type { Trx } from '#server/platform/eventLog.ts'
import { conflict } from '#server/platform/problem.ts'

/**
 * Throws 409 when a change of accounts left no administrator who is enabled and has a password here: those of a single sign-on
 * cannot sign in while the provider is down. Asked after the change was recorded: only one transaction records at a time, so
 * that of two who take the role from each other one is refused.
 */
export async function keepAdministrator(trx: Trx): Promise<void> {
  const left = await trx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'ROLE_ADMIN' = any(roles)`)
    .where('disabledAt', 'is', null)
    .where('passwordHash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!left)
    conflict('There must be an enabled administrator with a password. Make another one first.', 'last-administrator')
}
