import { streamNames } from '#events/streams.ts'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Role } from '#events/contract/needs.ts'
import { UserDraft } from '#events/users/accounts.ts'
import { endTokens } from '#server/platform/http/apiToken.ts'
import { recordChange } from '#server/platform/log/audit.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { SingleSignOn } from '#server/singleSignOn.ts'
import { type AuditedUser, isNameTaken, sortRoles } from '#server/users/index.ts'
import type { Claims } from './provider.ts'
import { SignInRefusedError } from './signInRefusedError.ts'

/** A user of the provider, with the roles of their groups. */
type Account = { issuer: string; subject: string; name: string; email: string | null; roles: Role[] }

/** Reads the provider's claims; the name is the one people use to sign in there. */
export function accountOf(claims: Claims, { groupsClaim, groupRoles }: SingleSignOn): Account {
  const names = [claims['preferred_username'], claims['email'], claims.sub]
  const name = names.map((word) => UserDraft.shape.name.safeParse(word).data).find((word) => word !== undefined)
  const groups = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).parse(claims[groupsClaim])
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: name ?? claims.sub.slice(0, 255),
    email: UserDraft.shape.email.safeParse(claims['email']).data ?? null,
    roles: sortRoles(groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role)),
  }
}

/**
 * The account of a provider's user, created at the first sign-in; name and roles are updated at each one. Never takes
 * over another account's name. Throws `SignInRefusedError`.
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
  const { id, email, disabledAt } = known
  if (disabledAt) throw new SignInRefusedError('disabled')
  const name = (await isNameTaken(trx, account.name, id)) ? known.name : account.name
  const before: AuditedUser = { name: known.name, email, roles: sortRoles(known.roles), isDisabled: false }
  const after: AuditedUser = { ...before, name, roles }
  if (!isDeepStrictEqual(before, after)) {
    await trx.updateTable('users').set({ name, roles }).where('id', '=', id).execute()
    await recordChange(trx, streamNames.user(id), { name, address }, { before, after })
    if (before.roles.some((role) => !roles.includes(role))) await endTokens(trx, id, { name, address })
  }
  return { id, name }
}

async function makeAccount(trx: Trx, account: Account, address: string): Promise<{ id: number; name: string }> {
  const { name, email, roles } = account
  if (await isNameTaken(trx, name)) throw new SignInRefusedError('nameTaken')
  const { id } = await trx.insertInto('users').values(account).returning('id').executeTakeFirstOrThrow()
  const after: AuditedUser = { name, email, roles, isDisabled: false }
  await recordChange(trx, streamNames.user(id), { name, address }, { after })
  return { id, name }
}
