import { streamNames } from '#events/streams.ts'
import type { z } from 'zod'
import type { OneTimePassword, OwnPassword } from '#events/users/accounts.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import { checkPassword, ownCounters } from '#server/platform/callers/guessing.ts'
import { hashPassword, isPassword, makePassword } from '#server/platform/password.ts'
import { passwordFault } from '#server/platform/passwordRules.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { endTokens } from '#server/platform/callers/apiToken.ts'
import { endSessions } from '#server/platform/callers/session.ts'
import { topics } from './accounts.ts'
import { lockUser } from './userRow.ts'

/** Sets a one-time password, which only the response contains, and ends the user's sessions and API tokens. */
export async function resetPassword(
  platform: Pick<Platform, 'db' | 'live'>,
  id: number,
  by: Actor,
): Promise<OneTimePassword> {
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  return change(platform, by, topics, async ({ trx, recordFact }) => {
    const { user, isOfProvider } = await lockUser(trx, id)
    if (isOfProvider) conflict(ofProvider)
    await trx.updateTable('users').set({ passwordHash, hasOneTimePassword: true }).where('id', '=', id).execute()
    await endSessions(trx, { userId: id }, by)
    await endTokens(trx, id, by)
    await recordFact(streamNames.user(id), { type: 'PasswordReset' })
    return { id, name: user.name, password }
  })
}

/** Changes the caller's own password and ends their sessions but this one. */
export async function changeOwnPassword(
  platform: Pick<Platform, 'db' | 'live'>,
  { currentPassword, newPassword }: z.output<typeof OwnPassword>,
  by: Caller,
  session: string | undefined,
): Promise<void> {
  const own = await platform.db
    .selectFrom('users')
    .select(['name', 'passwordHash', 'issuer'])
    .where('id', '=', by.id)
    .executeTakeFirstOrThrow()
  if (own.issuer !== null) conflict(ofProvider)
  // A user who must change it has just signed in with it; a script of theirs has not.
  const isKnown =
    by.mustFirst === 'choosePassword' ||
    (await checkPassword(platform.db, ownCounters(by), currentPassword, own.passwordHash))
  if (!isKnown) invalid('currentPassword', 'is wrong')
  const fault = passwordFault(newPassword, own.name)
  if (fault) invalid('newPassword', fault)
  if (await isPassword(newPassword, own.passwordHash)) invalid('newPassword', 'must differ from the previous password')
  const passwordHash = await hashPassword(newPassword)
  await change(platform, by, topics, async ({ trx, recordFact }) => {
    await replacePassword(trx, by.id, own.passwordHash, passwordHash)
    await endSessions(trx, { userId: by.id, except: session ?? '' }, by)
    await recordFact(streamNames.user(by.id), { type: 'PasswordChanged' })
  })
}

/** Throws 409 if the password was changed meanwhile, so a reset is never undone by an earlier request. */
async function replacePassword(trx: Trx, id: number, before: string | null, passwordHash: string): Promise<void> {
  const changed = await trx
    .updateTable('users')
    .set({ passwordHash, hasOneTimePassword: false })
    .where('id', '=', id)
    .where('passwordHash', 'is not distinct from', before)
    .returning('id')
    .executeTakeFirst()
  if (!changed) conflict('The password was changed in the meantime. Sign in again.')
}

const ofProvider = 'An account from single sign-on has no password here'
