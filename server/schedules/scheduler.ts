import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, startRounds } from '#server/platform/rounds.ts'
import { alignDueTimes } from './alignDueTimes.ts'
import { runSchedule } from './runSchedule.ts'

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
  return startRounds(every, round, 'Schedules could not be looked after; it is tried again', platform.log)
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
