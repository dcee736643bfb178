import { sql } from 'kysely'
import { sessionCookie } from '#events/users/session.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem, conflict, invalid } from '#server/platform/problem.ts'
import { checkPassword, ownCounters } from './guessing.ts'
import type { Caller, Cookies } from './route.ts'
import { hash } from './session.ts'

/** Proof that the caller confirmed with a password, so a browser left open is not enough. */
export type Confirmation = { passwordHash: string | null }

/**
 * Requires the caller's password again, in the field `ownPassword`. Users of a single sign-on have none here: their
 * browser must have signed in recently. Throws 400 for a wrong password, 403 for an old sign-in, 429 after too many.
 */
export async function confirmOwnPassword(
  db: Db,
  by: Caller,
  password: string,
  cookies: Pick<Cookies, 'get'>,
): Promise<Confirmation> {
  const { passwordHash, issuer } = await db
    .selectFrom('users')
    .select(['passwordHash', 'issuer'])
    .where('id', '=', by.id)
    .executeTakeFirstOrThrow()
  if (issuer !== null) {
    if (by.tokenId === null && (await isFresh(db, cookies.get(sessionCookie) ?? ''))) return { passwordHash }
    throw new Problem(403, 'This requires a sign-in within the last 15 minutes. Sign out and sign in again.', {
      code: 'sign-in-again',
    })
  }
  if (password === '') invalid('ownPassword', 'is required')
  if (!(await checkPassword(db, ownCounters(by), password, passwordHash))) invalid('ownPassword', 'is wrong')
  return { passwordHash }
}

async function isFresh(db: Db, sessionId: string): Promise<boolean> {
  const fresh = await db
    .selectFrom('sessions')
    .select('id')
    .where('idHash', '=', hash(sessionId))
    .where('createdAt', '>', sql<Date>`now() - interval '15 minutes'`)
    .executeTakeFirst()
  return fresh !== undefined
}

/** Locks the caller's account; throws 409 if it was disabled or its password changed since the confirmation. */
export async function lockConfirmed(trx: Trx, id: number, { passwordHash }: Confirmation): Promise<void> {
  const unchanged = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('passwordHash', 'is not distinct from', passwordHash)
    .where('disabledAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!unchanged) conflict('Your account was changed at the same moment. Try again.')
}
