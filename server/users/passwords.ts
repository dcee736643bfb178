import type { z } from 'zod'
import type { OneTimePassword, OwnPassword } from '#events/users.ts'
import { record } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { hashPassword, isPassword, makePassword } from '#server/platform/password.ts'
import type { Db } from '#server/platform/postgres.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/route.ts'
import { endSessions } from '#server/platform/session.ts'
import { lockUser, streamOf } from './userRow.ts'

/** Gives a user a one-time password, which is answered here alone, and ends their sessions. */
export async function resetPassword(db: Db, id: number, by: Actor): Promise<OneTimePassword> {
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    const { described, isOfProvider } = await lockUser(trx, id)
    if (isOfProvider) conflict(ofProvider)
    await trx.updateTable('users').set({ passwordHash, hasOneTimePassword: true }).where('id', '=', id).execute()
    await endSessions(trx, { userId: id }, by)
    await record(trx, streamOf(id), by, { type: 'PasswordReset' })
    return { id, name: described.name, password }
  })
}

/** Changes the caller's own password and ends their sessions but this one. */
export async function changeOwnPassword(
  db: Db,
  { currentPassword, newPassword }: z.output<typeof OwnPassword>,
  by: Caller,
  session: string | undefined,
): Promise<void> {
  const known = await db
    .selectFrom('users')
    .select(['passwordHash', 'issuer'])
    .where('id', '=', by.id)
    .executeTakeFirstOrThrow()
  if (known.issuer !== null) conflict(ofProvider)
  // Whoever must change it has just signed in with it; a script of theirs has not.
  const isKnown = by.mustChangePassword || (await isPassword(currentPassword, known.passwordHash))
  if (!isKnown) invalid('currentPassword', 'is wrong')
  if (await isPassword(newPassword, known.passwordHash)) invalid('newPassword', 'must differ from the one before')
  const passwordHash = await hashPassword(newPassword)
  await db.transaction().execute(async (trx) => {
    await replacePassword(trx, by.id, known.passwordHash, passwordHash)
    await endSessions(trx, { userId: by.id, except: session ?? '' }, by)
    await record(trx, streamOf(by.id), by, { type: 'PasswordChanged' })
  })
}

/** Throws 409 when the password was changed meanwhile, so that a reset is never undone by what was asked for before it. */
async function replacePassword(trx: Trx, id: number, before: string | null, passwordHash: string): Promise<void> {
  const changed = await trx
    .updateTable('users')
    .set({ passwordHash, hasOneTimePassword: false })
    .where('id', '=', id)
    .where('passwordHash', 'is not distinct from', before)
    .returning('id')
    .executeTakeFirst()
  if (!changed) conflict('The password was changed meanwhile. Sign in again.')
}

const ofProvider = 'An account of the single sign-on has no password here'
