import { record } from '#server/platform/log/audit.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { sql } from 'kysely'
import { closeSession, endViews, hash, openSession, sessionName } from '#server/platform/callers/session.ts'

/**
 * Source of a sign-in, and the browser's previous session, which ends. `provedAt`: Unix time in seconds at which a single
 * sign-on required proof, if that was earlier than now.
 */
export type SignInSource = Pick<Caller, 'address' | 'userAgent'> & {
  old: string | undefined
  provedAt?: number | undefined
}

/** Starts a user's session and returns its id, which only the browser keeps. */
export async function beginSession(trx: Trx, user: { id: number; name: string }, from: SignInSource): Promise<string> {
  const { address, userAgent, old, provedAt } = from
  if (old) {
    await endViews(trx, sql`own.id_hash = ${hash(old)}`)
    await closeSession(trx, old)
  }
  const sessionId = await openSession(trx, user.id, address, userAgent, provedAt)
  await record(trx, sessionName(sessionId), { id: user.id, name: user.name, address }, { type: 'SignedIn' })
  return sessionId
}
