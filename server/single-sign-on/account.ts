import { sql } from 'kysely'
import { z } from 'zod'
import { type Role, roles as everyRole } from '#events/needs.ts'
import { UserDraft } from '#events/users.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { SingleSignOn } from '#server/singleSignOn.ts'
import type { Claims } from './provider.ts'
import { Refused } from './refused.ts'

/** Who came from the provider, with the roles of their groups. */
export type Account = { issuer: string; subject: string; name: string; email: string | null; roles: Role[] }

/** Reads what the provider says; the name is that which people sign in with there. */
export function accountOf(claims: Claims, { groupsClaim, groupRoles }: SingleSignOn): Account {
  const names = [claims['preferred_username'], claims['email'], claims.sub]
  const name = names.map((word) => UserDraft.shape.name.safeParse(word).data).find((word) => word !== undefined)
  const groups = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).parse(claims[groupsClaim])
  const given = new Set(groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role))
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: name ?? claims.sub.slice(0, 255),
    email: UserDraft.shape.email.safeParse(claims['email']).data ?? null,
    roles: everyRole.filter((role) => given.has(role)),
  }
}

/**
 * The account here of whoever came, made at their first sign-in; its name and roles are taken anew at each. A name that another
 * account has is never taken over. Throws `Refused`.
 */
export async function takeAccount(trx: Trx, account: Account, address: string): Promise<{ id: number; name: string }> {
  const { issuer, subject, roles } = account
  const known = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'roles', 'disabledAt'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()
  if (!known) return makeAccount(trx, account, address)
  if (known.disabledAt) throw new Refused('disabled')
  const isFree = account.name === known.name || !(await isTaken(trx, account.name, known.id))
  const name = isFree ? account.name : known.name
  if (name !== known.name || String(roles) !== String(known.roles)) {
    await trx.updateTable('users').set({ name, roles }).where('id', '=', known.id).execute()
    const { email } = known
    const before = { name: known.name, email, roles: known.roles, isDisabled: false }
    await recordChange(trx, `user-${known.id}`, { name, address }, { before, after: { ...before, name, roles } })
  }
  return { id: known.id, name }
}

async function makeAccount(trx: Trx, account: Account, address: string): Promise<{ id: number; name: string }> {
  const { name, email, roles } = account
  if (await isTaken(trx, name, 0)) throw new Refused('nameTaken')
  const { id } = await trx.insertInto('users').values(account).returning('id').executeTakeFirstOrThrow()
  const after = { name, email, roles, isDisabled: false }
  await recordChange(trx, `user-${id}`, { name, address }, { after })
  return { id, name }
}

async function isTaken(trx: Trx, name: string, ownId: number): Promise<boolean> {
  const taken = await trx
    .selectFrom('users')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  return taken !== undefined
}
