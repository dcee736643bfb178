import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { streamNames } from '#events/streams.ts'
import { viewMinutes } from '#events/users/sessions.ts'
import { endViews, hash } from '#server/platform/callers/session.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Change } from '#server/platform/log/change.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict, notFound } from '#server/platform/problem.ts'

/**
 * Starts a read-only session in which an administrator sees what a user sees, in place of their last one, and returns its id. Throws
 * 404 for an unknown user, and 409 for oneself, a disabled user, and an administrator who was signed out meanwhile.
 */
export async function startView(
  { trx, by }: Change<Caller>,
  userId: number,
  ownId: string | undefined,
): Promise<string> {
  const user = await trx.selectFrom('users').select(['name', 'disabledAt']).where('id', '=', userId).executeTakeFirst()
  if (!user) return notFound('user', userId)
  if (userId === by.id) conflict('You already see what you see')
  if (user.disabledAt) conflict(`${user.name} is disabled and sees nothing`)
  const own = trx
    .selectFrom('sessions')
    .select('id')
    .where('idHash', '=', hash(ownId ?? ''))
  const session = await own.where('viewedBy', 'is', null).forUpdate().executeTakeFirst()
  if (!session) return conflict('You were signed out. Sign in and try again.')
  await endViews(trx, sql`own.id = ${session.id}`)
  const id = randomBytes(32).toString('base64url')
  const started = await trx
    .insertInto('sessions')
    .values({
      idHash: hash(id),
      userId,
      address: by.address,
      userAgent: by.userAgent,
      expiresAt: sql<Date>`now() + make_interval(mins => ${sql.lit(viewMinutes)})`,
      viewedBy: session.id,
    })
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  const fact = { type: 'ViewStarted', name: user.name, until: started.expiresAt.toISOString() }
  await record(trx, streamNames.user(userId), by, fact)
  return id
}

/** Ends a view; ignores one that is unknown or has ended. */
export const endView = (db: Db, id: string): Promise<void> =>
  inTransaction(db, (trx) => endViews(trx, sql`sessions.id_hash = ${hash(id)}`))
