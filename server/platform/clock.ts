import type { Trx } from './log/eventLog.ts'
import type { Db } from './postgres/postgres.ts'

const dayMs = 24 * 3_600_000
/** Maximum difference to the last trusted time, in milliseconds. */
const maxJumpMs = 2 * dayMs
/** The trusted time is stored at most this often, in milliseconds. */
const storeEveryMs = 60_000

export type Clock = { isPlausible: boolean; now: Date; trustedAt: Date }

/**
 * Compares the clock with the last time at which it was plausible, at first that of the newest event in the log. That
 * time follows the clock only in small steps, so that neither events nor restarts make a wrong clock plausible.
 */
export async function readClock(db: Db | Trx, now = new Date()): Promise<Clock> {
  const trustedAt = await trustedTime(db, now)
  const aheadMs = now.getTime() - trustedAt.getTime()
  if (Math.abs(aheadMs) > maxJumpMs) return { isPlausible: false, now, trustedAt }
  if (aheadMs > storeEveryMs)
    await db.updateTable('trustedClock').set({ trustedAt: now }).where('trustedAt', '<', now).execute()
  return { isPlausible: true, now, trustedAt }
}

/**
 * Does irreversible work only while the clock is plausible; a health problem tells administrators otherwise. All work
 * that deletes by age, closes a period or sends something goes through this function.
 */
export async function whileClockIsPlausible(db: Db, work: () => Promise<void>, now?: Date): Promise<void> {
  if ((await readClock(db, now)).isPlausible) await work()
}

/** Trusts the current clock, because an administrator confirmed it. */
export async function trustClock(trx: Trx, now = new Date()): Promise<void> {
  await trx
    .insertInto('trustedClock')
    .values({ trustedAt: now })
    .onConflict((on) => on.column('onlyRow').doUpdateSet({ trustedAt: now }))
    .execute()
}

async function trustedTime(db: Db | Trx, now: Date): Promise<Date> {
  const known = await db.selectFrom('trustedClock').select('trustedAt').executeTakeFirst()
  if (known) return known.trustedAt
  const newest = await db.selectFrom('events').select('at').orderBy('position', 'desc').limit(1).executeTakeFirst()
  const trustedAt = newest?.at ?? now
  await db
    .insertInto('trustedClock')
    .values({ trustedAt })
    .onConflict((on) => on.doNothing())
    .execute()
  return trustedAt
}
