import { sessionCookie } from '#events/users/session.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { openSession } from '#server/platform/http/session.ts'

/** The cookie of a new session of the account that the first start made. */
export async function signedIn(db: Db): Promise<string> {
  const { id } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
  return `${sessionCookie}=${await openSession(db, id, '127.0.0.1')}`
}
