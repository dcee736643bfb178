import { sql } from 'kysely'
import { type Role, roles as everyRole } from '#events/needs.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import { notFound } from '#server/platform/problem.ts'

/** The stream of the event log that tells of an account. */
export const streamOf = (id: number): string => `user-${id}`

/** An account as the event log tells of it. */
export type Described = { name: string; email: string | null; roles: Role[]; isDisabled: boolean }

/** Each role once, in the order of the product. */
export const inOrder = (given: readonly Role[]): Role[] => everyRole.filter((role) => given.includes(role))

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
  const described: Described = { name, email, roles, isDisabled: disabledAt !== null }
  return { described, isOfProvider: issuer !== null, passwordHash }
}

/** Whether another account has the name, in whatever case. */
export async function isNameTaken(trx: Trx, name: string, ownId = 0): Promise<boolean> {
  const taken = await trx
    .selectFrom('users')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  return taken !== undefined
}
