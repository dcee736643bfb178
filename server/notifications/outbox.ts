import { sql } from 'kysely'
import type { NotSent } from '#server/platform/mail/notSent.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

export type Channel = 'email' | 'webhook'

/** What is to be sent by the one who took it; `tries` counts this one. */
export type Due = Awaited<ReturnType<typeof takeDue>>[number]

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

/** Longer than any try takes: what a sender took and did not end by then, another one takes. */
const lease = 2 * minute
/** How long to wait after each failed try, and after which time it is given up. */
const pauses = [1, 5, 15, 60].map((minutes) => minutes * minute)
const usualPause = 240 * minute
const givenUpAfter = day
const keptFor = 30 * day
const atOnce = 10

/** Takes some of what is due, which no other sender then takes before the lease is over. */
export const takeDue = (db: Db, channel: Channel, now: Date) =>
  db
    .with('due', (of) =>
      of
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', 'waiting')
        .where('channel', '=', channel)
        .where('nextTryAt', '<=', now)
        .orderBy('nextTryAt')
        .orderBy('id')
        .limit(atOnce)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('deliveries')
    .from('due')
    .whereRef('deliveries.id', '=', 'due.id')
    .set({ tries: sql<number>`tries + 1`, triedAt: now, nextTryAt: new Date(now.getTime() + lease) })
    .returning([
      'deliveries.id',
      'key',
      'userId',
      'address',
      'webhook',
      'subject',
      'body',
      'bundle',
      'tries',
      'createdAt',
    ])
    .execute()

/** Keeps that it was sent, also when another sender took it in the meantime. */
export async function keepSent(db: Db, { id }: Due): Promise<void> {
  await db.updateTable('deliveries').set({ state: 'sent', reason: null }).where('id', '=', id).execute()
}

/** Keeps why it was not sent, and when it is tried again, if ever; says whether it is given up. */
export async function keepFailure(db: Db, due: Due, { message, permanent }: NotSent, now: Date): Promise<boolean> {
  const nextTryAt = new Date(now.getTime() + (pauses[due.tries - 1] ?? usualPause))
  const isOver = permanent || nextTryAt.getTime() - due.createdAt.getTime() > givenUpAfter
  await db
    .updateTable('deliveries')
    .set({ state: isOver ? 'failed' : 'waiting', reason: message, nextTryAt })
    .where('id', '=', due.id)
    .where('state', '=', 'waiting')
    .where('tries', '=', due.tries)
    .execute()
  return isOver
}

/** The files of a bundle, in their order. */
export const filesOf = (db: Db, bundle: string) =>
  db.selectFrom('mailFiles').select(['name', 'bytes']).where('bundle', '=', bundle).orderBy('position').execute()

/** Forgets what was sent or given up long ago, and files that no mail waits for any more. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('deliveries')
    .where('state', '!=', 'waiting')
    .where('triedAt', '<', new Date(now.getTime() - keptFor))
    .execute()
  await db
    .deleteFrom('mailFiles')
    .where(({ not, exists, selectFrom }) => {
      const waiting = selectFrom('deliveries').select('id').where('state', '=', 'waiting')
      return not(exists(waiting.whereRef('deliveries.bundle', '=', 'mailFiles.bundle')))
    })
    .execute()
}
