import { sql } from 'kysely'
import type { NotSent } from '#server/platform/mail/notSent.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

export type Channel = 'email' | 'webhook'

/** A delivery taken by a sender; `tries` includes this attempt. */
export type DueDelivery = Awaited<ReturnType<typeof takeDue>>[number]

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

/** Longer than any attempt takes: after this, another sender takes an unfinished delivery. */
const leaseMs = 3 * minute
/** Waits after each failed attempt; after the last one the delivery is abandoned. */
const retryDelaysMs = [1, 5, 15, 60].map((minutes) => minutes * minute)
const defaultRetryDelayMs = 240 * minute
const givenUpAfter = day
const retentionMs = 30 * day
const batchSize = 10

const taken = [
  'deliveries.id',
  'key',
  'userId',
  'notificationId',
  'address',
  'webhook',
  'subject',
  'body',
  'bundle',
  'shows',
  'webhookFormat',
  'webhookTemplate',
  'webhookText',
  'secret',
  'tries',
  'createdAt',
] as const

/**
 * Takes some due deliveries, which no other sender takes before the lease ends. A delivery waits for those before it that are about the
 * same and go to the same recipient, so a receiver gets the end of a job before what a later scan found.
 */
export const takeDue = (db: Db, channel: Channel, now: Date) =>
  db
    .with('due', (of) =>
      of
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', 'waiting')
        .where('channel', 'in', channel === 'email' ? ['email', 'secret-email'] : [channel])
        // Postgres has microseconds: a delivery of this millisecond is due.
        .where('nextTryAt', '<', new Date(now.getTime() + 1))
        .where(({ not, exists, selectFrom }) => {
          const before = selectFrom('deliveries as earlier')
            .select('earlier.id')
            .whereRef('earlier.about', '=', 'deliveries.about')
            .whereRef('earlier.channel', '=', 'deliveries.channel')
            .whereRef('earlier.userId', 'is not distinct from', 'deliveries.userId')
            .whereRef('earlier.address', 'is not distinct from', 'deliveries.address')
            .whereRef('earlier.channelId', 'is not distinct from', 'deliveries.channelId')
            .whereRef('earlier.notificationId', 'is not distinct from', 'deliveries.notificationId')
            .where('earlier.state', '=', 'waiting')
            .whereRef('earlier.id', '<', 'deliveries.id')
          return not(exists(before))
        })
        .orderBy('nextTryAt')
        .orderBy('id')
        .limit(batchSize)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('deliveries')
    .from('due')
    .whereRef('deliveries.id', '=', 'due.id')
    .set({ tries: sql<number>`tries + 1`, triedAt: now, nextTryAt: new Date(now.getTime() + leaseMs) })
    .returning(taken)
    .execute()

/** Records that it was sent, even if another sender has taken it since. */
export async function keepSent(db: Db, { id }: DueDelivery): Promise<void> {
  await db.updateTable('deliveries').set({ state: 'sent', reason: null, secret: null }).where('id', '=', id).execute()
}

/** Bounds of a delay in a receiver's response. */
const minRetryAfterMs = second
const maxRetryAfterMs = defaultRetryDelayMs

/**
 * Delay after a failed attempt: the one in the receiver's response, at most 4 hours. After as many attempts as have a delay of
 * their own, it is no shorter than the default one, so no receiver is called every second.
 */
export function retryDelayMs(tries: number, retryAfterMs: number | undefined): number {
  const planned = retryDelaysMs[tries - 1] ?? defaultRetryDelayMs
  if (retryAfterMs === undefined) return planned
  const min = tries > retryDelaysMs.length ? planned : minRetryAfterMs
  return Math.min(maxRetryAfterMs, Math.max(min, retryAfterMs))
}

/**
 * Records the reason of a failure and the time of the next attempt, if any; returns true if the delivery is abandoned.
 */
export async function keepFailure(
  db: Db,
  due: DueDelivery,
  { message, permanent, retryAfterMs }: NotSent,
  now: Date,
): Promise<boolean> {
  const nextTryAt = new Date(now.getTime() + retryDelayMs(due.tries, retryAfterMs))
  const isOver = permanent || nextTryAt.getTime() - due.createdAt.getTime() > givenUpAfter
  await db
    .updateTable('deliveries')
    .set({ state: isOver ? 'failed' : 'waiting', reason: message, nextTryAt, ...(isOver && { secret: null }) })
    .where('id', '=', due.id)
    .where('state', '=', 'waiting')
    .where('tries', '=', due.tries)
    .execute()
  if (retryAfterMs !== undefined) await holdOthers(db, due, nextTryAt)
  return isOver
}

/** A receiver that named a delay gets no other delivery of the notification before it ends; these lose no attempt by that. */
async function holdOthers(db: Db, { notificationId, id }: DueDelivery, until: Date): Promise<void> {
  if (notificationId === null) return
  await db
    .updateTable('deliveries')
    .set({ nextTryAt: until })
    .where('notificationId', '=', notificationId)
    .where('channel', '=', 'webhook')
    .where('state', '=', 'waiting')
    .where('nextTryAt', '<', until)
    .where('id', '!=', id)
    .execute()
}

/** The files of a bundle, in order. */
export const filesOf = (db: Db, bundle: string) =>
  db.selectFrom('mailFiles').select(['name', 'bytes']).where('bundle', '=', bundle).orderBy('position').execute()

/** Deletes old deliveries that were sent or abandoned, and files that no mail waits for. */
export async function forgetOld(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('deliveries')
    .where('state', '!=', 'waiting')
    .where('triedAt', '<', new Date(now.getTime() - retentionMs))
    .execute()
  await db
    .deleteFrom('mailFiles')
    .where(({ not, exists, selectFrom }) => {
      const waiting = selectFrom('deliveries').select('id').where('state', '=', 'waiting')
      return not(exists(waiting.whereRef('deliveries.bundle', '=', 'mailFiles.bundle')))
    })
    .execute()
}
