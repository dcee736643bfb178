import { sql } from 'kysely'
import type { z } from 'zod'
import type { Credentials } from '#events/session.ts'
import { record } from '#server/platform/audit.ts'
import { isPassword } from '#server/platform/password.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { closeSession, findSession, sessionName } from '#server/platform/session.ts'
import { type From, beginSession } from './beginSession.ts'

type Words = Pick<Platform, 'db' | 'log'>

/** Begins a session of the user and ends the one that the browser had; unknown names and wrong passwords look alike. */
export async function signIn({ db, log }: Words, given: z.infer<typeof Credentials>, from: From) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'roles', 'passwordHash', 'disabledAt'])
    .where(sql`lower(name)`, '=', sql`lower(${given.name})`)
    .executeTakeFirst()
  const refuse = (message: string, code: string): never => {
    log.warn({ name: given.name, address: from.address, code }, 'a sign-in failed')
    throw new Problem(401, message, { code })
  }
  const isKnown = await isPassword(given.password, user?.passwordHash)
  if (!isKnown || !user) return refuse('The name or the password is wrong', 'wrong-credentials')
  if (user.disabledAt) return refuse('Your account is disabled. Ask an administrator.', 'disabled')
  const sessionId = await db.transaction().execute(async (trx) => {
    const unchanged = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', user.id)
      .where('passwordHash', '=', user.passwordHash)
      .where('disabledAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    return unchanged && beginSession(trx, user, from)
  })
  if (!sessionId) return refuse('Your account was changed at this moment. Try again.', 'wrong-credentials')
  return { sessionId, user }
}

/** Ends the session, if there is one; returns whether its user came by the single sign-on. */
export async function signOut({ db }: Words, sessionId: string | undefined, address: string): Promise<boolean> {
  if (!sessionId) return false
  return db.transaction().execute(async (trx) => {
    const user = await findSession(trx, sessionId)
    if (!user) return false
    await closeSession(trx, sessionId)
    await record(trx, sessionName(sessionId), { name: user.name, address }, { type: 'SignedOut' })
    const { issuer } = await trx
      .selectFrom('users')
      .select('issuer')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    return issuer !== null
  })
}
