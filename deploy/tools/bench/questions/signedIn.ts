import { sessionCookie } from '#events/users/session.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { openSession } from '#server/platform/callers/session.ts'

/** Creates a session of the initial account and returns its cookie. */
export async function signedIn(db: Db): Promise<string> {
  const { id } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
  return `${sessionCookie}=${await openSession(db, id, '127.0.0.1')}`
}
