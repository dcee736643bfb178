import { type Role, roles as everyRole } from '#events/contract/needs.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { notFound } from '#server/platform/problem.ts'

/** An account's record in the event log. */
export type AuditedUser = { name: string; email: string | null; roles: Role[]; isDisabled: boolean }

/** Removes duplicates, and sorts in the product's order. */
export const sortRoles = (roles: readonly Role[]): Role[] => everyRole.filter((role) => roles.includes(role))

/** Locks an account until the end of the transaction. Throws 404. */
export async function lockUser(trx: Trx, id: number) {
  const row = await trx
    .selectFrom('users')
    .select(['name', 'email', 'roles', 'issuer', 'disabledAt', 'passwordHash'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return notFound('user', id)
  const { name, email, roles, issuer, disabledAt, passwordHash } = row
  const user: AuditedUser = { name, email, roles, isDisabled: disabledAt !== null }
  return { user, isOfProvider: issuer !== null, passwordHash }
}
