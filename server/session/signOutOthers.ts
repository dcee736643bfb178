import type { Db } from '#server/platform/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/route.ts'
import { endSessions } from '#server/platform/session.ts'

/** Signs a browser out, of whichever user it is or of the one user that is named. Throws 404. */
export async function signOutBrowser(db: Db, which: { id: number; userId?: number }, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await endSessions(trx, which, by)) === 0) notFound('session', which.id)
  })
}

/** Signs out the caller's browsers but the one that asks. */
export async function signOutOthers(db: Db, by: Caller, own: string | undefined): Promise<{ ended: number }> {
  const ended = await db.transaction().execute((trx) => endSessions(trx, { userId: by.id, except: own ?? '' }, by))
  return { ended }
}
