import { isDeepStrictEqual } from 'node:util'
import type { OneTimePassword, UserDraft } from '#events/users.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { hashPassword, makePassword } from '#server/platform/password.ts'
import type { Db } from '#server/platform/postgres.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/route.ts'
import { endSessions } from '#server/platform/session.ts'
import { keepAdministrator } from './keepAdministrator.ts'
import { type Described, inOrder, isNameTaken, lockUser, streamOf } from './userRow.ts'

/** Makes an account with a one-time password, which is answered here alone. Throws 400 for a name that is taken. */
export async function createUser(db: Db, draft: UserDraft, by: Actor): Promise<OneTimePassword> {
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  const after = describe(draft)
  const { name, email, roles } = after
  const id = await db.transaction().execute(async (trx) => {
    await checkName(trx, name)
    const { id } = await trx
      .insertInto('users')
      .values({ name, email, roles, passwordHash, hasOneTimePassword: true, disabledAt: disabledAt(after) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordChange(trx, streamOf(id), by, { after })
    return id
  })
  return { id, name, password }
}

/** Changes an account; one that is disabled is signed out everywhere, and its API tokens open nothing until it is enabled. */
export async function updateUser(db: Db, id: number, draft: UserDraft, by: Actor): Promise<void> {
  const after = describe(draft)
  const { name, email, roles, isDisabled } = after
  await db.transaction().execute(async (trx) => {
    const { described: before, isOfProvider } = await lockUser(trx, id)
    if (isDeepStrictEqual({ ...before, roles: inOrder(before.roles) }, after)) return
    if (isOfProvider) checkOfProvider(before, after)
    await checkName(trx, name, id)
    const disabling = before.isDisabled === isDisabled ? {} : { disabledAt: disabledAt(after) }
    await trx
      .updateTable('users')
      .set({ name, email, roles, ...disabling })
      .where('id', '=', id)
      .execute()
    if (isDisabled) await endSessions(trx, { userId: id }, by)
    await recordChange(trx, streamOf(id), by, { before, after })
    await keepAdministrator(trx)
  })
}

/** Removes an account with all that is its own: sessions, API tokens, searches, alerts. Throws 409 for one's own. */
export async function removeUser(db: Db, id: number, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { described: before } = await lockUser(trx, id)
    if (id === by.id) conflict('You cannot delete your own account')
    await endSessions(trx, { userId: id }, by)
    await trx.deleteFrom('users').where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before })
    await keepAdministrator(trx)
  })
}

async function checkName(trx: Trx, name: string, ownId?: number): Promise<void> {
  if (await isNameTaken(trx, name, ownId)) invalid('name', `should be unique, ${name} already exists`)
}

const describe = ({ name, email, roles, isDisabled }: UserDraft): Described => ({
  name,
  email,
  roles: inOrder(roles),
  isDisabled,
})

const disabledAt = ({ isDisabled }: Described): Date | null => (isDisabled ? new Date() : null)

function checkOfProvider(before: Described, after: Described): void {
  if (before.name !== after.name) invalid('name', 'is given by the single sign-on')
  if (!isDeepStrictEqual(inOrder(before.roles), after.roles)) invalid('roles', 'are given by the single sign-on')
}
