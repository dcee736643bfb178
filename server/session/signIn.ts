import type { z } from 'zod'
import type { Credentials } from '#events/session.ts'
import { record } from '#server/platform/audit.ts'
import { isPassword } from '#server/platform/password.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { closeSession, findSession, openSession, sessionName } from '#server/platform/session.ts'

type Words = Pick<Platform, 'db' | 'log'>

/** Begins a session of the user and ends the one that the browser had; unknown names and wrong passwords look alike. */
export async function signIn({ db, log }: Words, given: z.infer<typeof Credentials>, address: string, old?: string) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'passwordHash'])
    .where('name', '=', given.name)
    .executeTakeFirst()
  if (!(await isPassword(given.password, user?.passwordHash)) || !user) {
    log.warn({ name: given.name, address }, 'a sign-in failed')
    throw new Problem(401, 'The name or the password is wrong', { code: 'wrong-credentials' })
  }
  const sessionId = await db.transaction().execute(async (trx) => {
    if (old) await closeSession(trx, old)
    const sessionId = await openSession(trx, user.id, address)
    await record(trx, sessionName(sessionId), { name: user.name, address }, { type: 'SignedIn' })
    return sessionId
  })
  return { sessionId, userId: user.id }
}

/** Ends the session, if there is one. */
export async function signOut({ db }: Words, sessionId: string | undefined, address: string): Promise<void> {
  if (!sessionId) return
  await db.transaction().execute(async (trx) => {
    const user = await findSession(trx, sessionId)
    if (!user) return
    await closeSession(trx, sessionId)
    await record(trx, sessionName(sessionId), { name: user.name, address }, { type: 'SignedOut' })
  })
}
