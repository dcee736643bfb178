import { isDeepStrictEqual } from 'node:util'
import type { Role } from '#events/contract/needs.ts'
import { streamNames } from '#events/streams.ts'
import { NewUserDraft } from '#events/users/accounts.ts'
import { endTokens } from '#server/platform/callers/apiToken.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { SingleSignOn } from '#server/platform/singleSignOn.ts'
import { type AuditedUser, isNameTaken, sortRoles } from '#server/access/users/index.ts'
import { type Claims, groupNames, groupsIn, isGroup } from './claims.ts'
import { SignInRefusedError } from './signInRefusedError.ts'

/** A user of the provider. Facts whose claims are absent are undefined; `missing` names those claims. */
export type Account = {
  issuer: string
  subject: string
  name: string | undefined
  email: string | undefined
  /** False if the provider says that it didn't verify the address. */
  isEmailVerified: boolean
  /** The roles of the user's groups. */
  roles: Role[] | undefined
  /** The names of the user's groups, by which these may be limited. */
  groups: string[] | undefined
  missing: string[]
}

/** Reads the provider's claims; the name is the one people use to sign in there. */
export function accountOf(claims: Claims, settings: SingleSignOn): Account {
  const name = NewUserDraft.shape.name.safeParse(claims['preferred_username']).data
  const email = NewUserDraft.shape.email.safeParse(claims['email']).data ?? undefined
  const roles = rolesOf(claims, settings)
  const groups = groupsIn(claims, settings.groupsClaims)?.slice(0, maxGroups).flatMap(groupNames)
  const missing = [
    ...(name === undefined ? ['preferred_username'] : []),
    ...(email === undefined ? ['email'] : []),
    ...(roles === undefined ? settings.groupsClaims : []),
  ]
  const isEmailVerified = claims['email_verified'] !== false && claims['email_verified'] !== 'false'
  return { issuer: claims.iss, subject: claims.sub, name, email, isEmailVerified, roles, groups, missing }
}

/** Groups of a user that are kept. Providers send at most a few hundred. */
const maxGroups = 1_000

/** Without roles for groups in the settings, no claim is needed. */
function rolesOf(claims: Claims, { groupsClaims, groupRoles }: SingleSignOn): Role[] | undefined {
  if (groupRoles.length === 0) return []
  const groups = groupsIn(claims, groupsClaims)
  if (!groups) return undefined
  const held = groupRoles.filter(({ group }) => groups.some((given) => isGroup(given, group)))
  return sortRoles(held.map(({ role }) => role))
}

type TakenAccount = { id: number; name: string; isChanged: boolean }

/**
 * The account of a provider's user, created at the first sign-in. Name, email and roles follow the provider at each one; those
 * whose claims are absent stay, which is recorded. Never takes over another account's name. Throws `SignInRefusedError`.
 */
export async function takeAccount(change: Change, account: Account): Promise<TakenAccount> {
  const { trx, record, recordFact, by } = change
  const known = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'confirmedEmail', 'roles', 'groups', 'disabledAt', 'missingClaims'])
    .where('issuer', '=', account.issuer)
    .where('subject', '=', account.subject)
    .forUpdate()
    .executeTakeFirst()
  if (!known) return makeAccount(change, account)
  const { id, disabledAt } = known
  const confirmedEmail = verifiedEmail(account)
  if (disabledAt) throw new SignInRefusedError('disabled')
  const name = await freeNameOf(trx, known, account)
  const before: AuditedUser = {
    name: known.name,
    email: known.email,
    roles: sortRoles(known.roles),
    isDisabled: false,
  }
  const after: AuditedUser = {
    ...before,
    name,
    email: account.email ?? before.email,
    roles: account.roles ?? before.roles,
  }
  const isChanged = !isDeepStrictEqual(before, after)
  if (isChanged) {
    const { email, roles } = after
    await trx.updateTable('users').set({ name, email, roles }).where('id', '=', id).execute()
    await record(streamNames.user(id), { before, after })
    if (before.roles.some((role) => !after.roles.includes(role))) await endTokens(trx, id, by)
  }
  const kept = { confirmedEmail: confirmedEmail ?? known.confirmedEmail, groups: account.groups ?? known.groups }
  const isMoved = !isDeepStrictEqual(known.groups, kept.groups)
  if (isMoved || kept.confirmedEmail !== known.confirmedEmail)
    await trx.updateTable('users').set(kept).where('id', '=', id).execute()
  if (isMoved) await recordFact(streamNames.user(id), groupsChanged(kept.groups))
  await keepMissing(change, id, account, known.missingClaims)
  return { id, name, isChanged: isChanged || isMoved }
}

/** The provider's name of an account, unless another one has it. A name that is the address changes with it. */
async function freeNameOf(
  trx: Trx,
  known: { id: number; name: string; email: string | null },
  account: Account,
): Promise<string> {
  const wanted = account.name ?? (known.name === known.email ? account.email : undefined) ?? known.name
  return wanted === known.name || !(await isNameTaken(trx, wanted, known.id)) ? wanted : known.name
}

/** The provider's address; null if it isn't verified there. */
const verifiedEmail = ({ email, isEmailVerified }: Account): string | null => (isEmailVerified && email) || null

/** Records which claims were missing, if that changed. */
async function keepMissing({ trx, recordFact }: Change, id: number, { missing }: Account, before: string | null) {
  const missingClaims = missing.join(', ') || null
  if (missingClaims === before) return
  await trx.updateTable('users').set({ missingClaims }).where('id', '=', id).execute()
  if (missingClaims) await recordFact(streamNames.user(id), claimsMissing(missing))
}

async function makeAccount(change: Change, account: Account): Promise<TakenAccount> {
  const { trx, record, recordFact } = change
  const { issuer, subject, roles = [], groups = [] } = account
  const [name, email] = [nameOf(account), account.email ?? null]
  if (await isNameTaken(trx, name)) throw new SignInRefusedError('nameTaken')
  const { id } = await trx
    .insertInto('users')
    .values({ issuer, subject, name, email, confirmedEmail: verifiedEmail(account), roles, groups })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(streamNames.user(id), { after: { name, email, roles, isDisabled: false } })
  await recordFact(streamNames.user(id), groupsChanged(groups))
  await keepMissing(change, id, account, null)
  return { id, name, isChanged: true }
}

/** The name of a new account. */
export const nameOf = ({ name, email, subject }: Account): string => name ?? email ?? subject.slice(0, 255)

/** Groups may be limited, so they decide what a user sees. */
const groupsChanged = (groups: string[]) => ({ type: 'GroupsChanged', groups })

const claimsMissing = (claims: string[]) => ({ type: 'ClaimsMissing', claims })
