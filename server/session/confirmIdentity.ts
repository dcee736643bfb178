import type { Platform } from '#server/platform/platform.ts'
import { Problem, invalid } from '#server/platform/problem.ts'
import { checkPassword, ownCounters } from '#server/platform/http/guessing.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { confirmSession } from '#server/platform/http/session.ts'
import type { failedSignIns } from './failedSignIns.ts'
import { strangersLane } from './strangersLane.ts'

/** A few at a time, in a lane apart from sign-ins: a check holds a thread, and any user may request many. */
const inLane = strangersLane()

/**
 * Confirms the session's user by their password. Users of single sign-on have none: their last sign-in must be recent.
 * Throws 400 for a wrong password, 403 for an old sign-in, 429 after too many failures.
 */
export async function confirmIdentity(
  { db }: Pick<Platform, 'db'>,
  password: string,
  by: Caller,
  session: string | undefined,
  noteFailure: ReturnType<typeof failedSignIns>,
): Promise<void> {
  const { name, passwordHash, issuer } = await db
    .selectFrom('users')
    .select(['name', 'passwordHash', 'issuer'])
    .where('id', '=', by.id)
    .executeTakeFirstOrThrow()
  if (issuer !== null) {
    if (by.isConfirmed) return
    throw new Problem(403, 'Sign in again in the new tab first', { code: 'sign-in-again' })
  }
  if (password === '') invalid('password', 'must not be blank')
  const isRight = await inLane(by.address, () => checkPassword(db, ownCounters(by), password, passwordHash))
  if (!isRight) {
    noteFailure({ user: { id: by.id, name }, address: by.address, reason: 'the password of a confirmation was wrong' })
    invalid('password', 'is wrong')
  }
  await confirmSession(db, session ?? '')
}
