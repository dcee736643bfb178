import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { runEvery, type Running } from '#server/platform/runEvery.ts'
import { runSchedule } from './runSchedule.ts'
import { nextTimes } from '#server/platform/cron.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Milliseconds between checks for due schedules. */
const everyMs = 1_000

type Stores = Pick<Platform, 'db' | 'log' | 'live'>

/** Runs due schedules in each replica of the server; one replica runs each due time. */
export function startScheduler(platform: Stores, now = () => new Date()): Running {
  let isAligned = false
  const round = async () => {
    if (!isAligned) await alignDueTimes(platform.db, now())
    isAligned = true
    await runDue(platform, now())
  }
  return runEvery(everyMs, round, 'Schedules could not be looked after; it is tried again', platform.log)
}

/**
 * Runs the schedules that are due at a moment, and returns their number. A failing schedule does not delay the others.
 */
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
 * Recalculates the next due times, since the clock or its time zone may have changed after they were written. Past
 * times stay due.
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
