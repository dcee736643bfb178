import { record } from '#server/platform/audit.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Db } from '#server/platform/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { hash } from '#server/platform/session.ts'
import { closeWallSession, openWallSession } from '#server/platform/wallSession.ts'
import { streamOf } from './changeTokens.ts'

/** Begins the session of a display and ends the one that it had. Throws 401 for a token that is unknown or was ended. */
export async function signInWall(db: Db, token: string, address: string, old?: string) {
  const opened = await db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('wallTokens')
      .select(['id', 'name'])
      .where('tokenHash', '=', hash(token))
      .forShare()
      .executeTakeFirst()
    if (!known) throw new Problem(401, 'This wall display was ended, or its address is not whole', { code: 'wall' })
    if (old) await closeWallSession(trx, old)
    const sessionId = await openWallSession(trx, known.id)
    await record(trx, streamOf(known.id), { name: `wall ${known.name}`, address }, { type: 'SignedIn' })
    return { sessionId, name: known.name }
  })
  wakeFollowers()
  return opened
}
