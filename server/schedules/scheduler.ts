import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { runEvery, type Running } from '#server/platform/runEvery.ts'
import { runSchedule } from './runSchedule.ts'
import { nextTimes } from '#server/platform/cron.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** How often it is looked for what is due, in milliseconds. */
const every = 1_000

type Stores = Pick<Platform, 'db' | 'log' | 'live'>

/** Starts what is due, in each replica of the server; each due time is run by one of them. */
export function startScheduler(platform: Stores, now = () => new Date()): Running {
  let isAligned = false
  const round = async () => {
    if (!isAligned) await alignDueTimes(platform.db, now())
    isAligned = true
    await runDue(platform, now())
  }
  return runEvery(every, round, 'Schedules could not be looked after; it is tried again', platform.log)
}

/** Runs what is due at a moment and returns of how many schedules. One that fails keeps none of the others back. */
export async function runDue({ db, log, live }: Stores, now: Date): Promise<number> {
  const due = await db.selectFrom('schedules').select('id').where('nextDueAt', '<=', now).orderBy('nextDueAt').execute()
  let ran = 0
  for (const { id } of due) {
    try {
      if (await runSchedule(db, id, now)) ran++
    } catch (error) {
      log.error({ error, schedule: id }, 'A schedule could not be run; it is tried again')
    }
  }
  if (ran > 0) {
    wakeFollowers()
    live({ type: 'changed', topics: ['schedules'] })
  }
  return ran
}

/**
 * Works out anew when schedules are due next, for the clock or its time zone may be another than when that was written.
 * Times that are over stay due.
 */
const alignDueTimes = (db: Db, now: Date): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const waiting = await trx
      .selectFrom('schedules')
      .select(['id', 'cron'])
      .where('nextDueAt', '>', now)
      .orderBy('id')
      .forUpdate()
      .execute()
    for (const { id, cron } of waiting) {
      const [nextDueAt = null] = nextTimes(cron, now, 1)
      await trx.updateTable('schedules').set({ nextDueAt }).where('id', '=', id).execute()
    }
  })
