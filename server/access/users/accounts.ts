import { normalName } from '#events/contract/names.ts'
import { streamNames } from '#events/streams.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { NewUserDraft, OneTimePassword, UserDraft } from '#events/users/accounts.ts'
import { limitsOf, setLimits } from '#server/access/limits/index.ts'
import { isLimited, isUserLimited } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { endTokens } from '#server/platform/callers/apiToken.ts'
import { endSessions, hasFactor } from '#server/platform/callers/session.ts'
import { change, type Change } from '#server/platform/log/change.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import { hashPassword, makePassword } from '#server/platform/password.ts'
import type { Platform } from '#server/platform/platform.ts'
import { dueColumns } from '#server/platform/dueTimes.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import { checkAccountName } from './accountNames.ts'
import { type AuditedUser, lockUser, sortRoles } from './userRow.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Topics of a change of accounts: sessions and API tokens change too. */
export const topics = ['users', 'sessions', 'apiTokens'] as const

/** Creates an account with a one-time password, which only the response contains. Throws 400 for a duplicate name. */
export async function createUser(
  platform: Pick<Platform, 'db' | 'live'>,
  { limits, ...draft }: z.output<typeof NewUserDraft>,
  by: Actor,
): Promise<OneTimePassword> {
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  const after = audited(draft)
  const { name, email, roles } = after
  return change(platform, by, topics, async (change) => {
    const { trx, record } = change
    await checkAccountName(trx, name)
    const { id } = await trx
      .insertInto('users')
      .values({
        name,
        email,
        confirmedEmail: email,
        roles,
        passwordHash,
        hasOneTimePassword: true,
        disabledAt: disabledAt(after),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(streamNames.user(id), { after })
    if (limits) await setLimits(change, { userId: id }, limits, ['limits'])
    return { id, name, password }
  })
}

/**
 * Changes an account. A disabled one is signed out everywhere, and its API tokens stop working until it is enabled. One
 * that loses a role loses its tokens.
 */
export async function updateUser({ trx, by, record }: Change, id: number, draft: UserDraft): Promise<void> {
  const { user: before, isOfProvider } = await lockUser(trx, id)
  // A name of an earlier version may stay.
  const isRenamed = draft.name !== before.name
  const after = audited({ ...draft, name: isRenamed ? normalName(draft.name) : before.name })
  const { name, email, roles, isDisabled } = after
  if (isDeepStrictEqual({ ...before, roles: sortRoles(before.roles) }, after)) return
  if (isOfProvider) checkOfProvider(before, after)
  if (isRenamed) await checkAccountName(trx, name, id)
  const disabling = before.isDisabled === isDisabled ? {} : { disabledAt: disabledAt(after) }
  await trx
    .updateTable('users')
    .set({ name, email, roles, ...disabling, ...(email !== before.email && { confirmedEmail: email }) })
    .where('id', '=', id)
    .execute()
  if (isDisabled) await endSessions(trx, { userId: id }, by)
  if (before.roles.some((role) => !roles.includes(role))) await endTokens(trx, id, by)
  await record(streamNames.user(id), { before, after })
  await keepAdministrator(trx)
}

/**
 * Deletes an account with its sessions, API tokens, notifications and private searches. Its alerts are paused, and stay
 * with its shared searches for administrators. Throws 409 for one's own.
 */
export async function removeUser({ trx, by, record }: Change<Caller>, id: number): Promise<void> {
  // Alerts are locked before their user, as by their evaluation.
  await trx.selectFrom('schedules').select('id').where('userId', '=', id).orderBy('id').forUpdate().execute()
  const { user: before } = await lockUser(trx, id)
  if (id === by.id) conflict('You cannot delete your own account')
  await endSessions(trx, { userId: id }, by)
  const pause = trx.updateTable('schedules').set({ paused: true, ...dueColumns(null, new Date()) })
  await pause.where('userId', '=', id).execute()
  // Reports of a user with limits stay theirs, and find nothing from now on.
  if (!(await isUserLimited(trx, id)))
    await trx.updateTable('reportTemplates').set({ ownerId: null }).where('ownerId', '=', id).execute()
  await trx.deleteFrom('savedSearches').where('userId', '=', id).where('isShared', '=', false).execute()
  await trx.deleteFrom('users').where('id', '=', id).execute()
  await record(streamNames.user(id), { before })
  await keepAdministrator(trx)
}

const audited = ({ name, email, roles, isDisabled }: UserDraft): AuditedUser => ({
  name,
  email,
  roles: sortRoles(roles),
  isDisabled,
})

const disabledAt = ({ isDisabled }: AuditedUser): Date | null => (isDisabled ? new Date() : null)

function checkOfProvider(before: AuditedUser, after: AuditedUser): void {
  if (before.name !== after.name) invalid('name', 'is managed by single sign-on')
  if (!isDeepStrictEqual(sortRoles(before.roles), after.roles)) invalid('roles', 'are managed by single sign-on')
}

/**
 * Throws 409 if a change leaves no enabled administrator with a password here: accounts of a single sign-on can't sign
 * in while the provider is down. Call it after recording the change: only one transaction records at a time, so if two
 * users remove the role from each other, one is refused.
 */
async function keepAdministrator(trx: Trx): Promise<void> {
  const left = await trx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'ROLE_ADMIN' = any(roles)`)
    .where('disabledAt', 'is', null)
    .where('passwordHash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!left)
    conflict('At least one enabled administrator must have a password. Create another one first.', 'last-administrator')
}

const sortable = { name: textOrder('name'), createdAt: sql`created_at`, lastSignInAt: sql`last_sign_in_at` }

/** A page of the accounts, including disabled ones; by name by default. */
export const listUsers = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'roles', 'issuer', 'hasOneTimePassword'])
      .select(['createdAt', 'lastSignInAt', 'disabledAt', hasFactor.as('hasSecondFactor'), isLimited.as('isLimited')])
      .select(limitsOf(sql`user_id = users.id`).as('limits')),
    query,
    { sortable, sort: 'name', nulls: 'last' },
    ({ issuer, disabledAt, createdAt, lastSignInAt, isLimited, limits, ...user }) => ({
      ...user,
      ...(limits && { limits }),
      ...(isLimited && { isLimited }),
      isDisabled: disabledAt !== null,
      isOfProvider: issuer !== null,
      createdAt: createdAt.toISOString(),
      lastSignInAt: lastSignInAt?.toISOString() ?? null,
    }),
  )
