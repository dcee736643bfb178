import { sql } from 'kysely'
import { runWhenDue } from '#server/platform/dueTimes.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { newItemLoop, type Running } from '#server/platform/runEvery.ts'
import { runSchedule } from './runSchedule.ts'

type Stores = Pick<Platform, 'db' | 'log' | 'live'>

const failedRun = 'could not run a schedule'

/** Runs due schedules in each replica of the server; one replica runs each due time. */
export function startScheduler(platform: Stores, now = () => new Date()): Running {
  const each = newItemLoop(platform.log, failedRun)
  return runWhenDue(
    platform,
    {
      table: 'schedules',
      work: (at) => runDue(platform, at, each),
      correctRecords: correctRuns,
      failed: 'could not run due schedules, will retry',
    },
    now,
  )
}

/**
 * Runs the schedules that are due at a moment, and returns their number. A failing schedule does not delay the others.
 */
export async function runDue(
  { db, log, live }: Stores,
  now: Date,
  each = newItemLoop(log, failedRun),
): Promise<number> {
  const due = await db.selectFrom('schedules').select('id').where('nextDueAt', '<=', now).orderBy('nextDueAt').execute()
  let ran = 0
  await each(
    due,
    ({ id }) => `schedule ${id}`,
    async ({ id }) => void ((await runSchedule(db, id, now)) && ran++),
  )
  if (ran > 0) live({ type: 'changed', topics: ['schedules'] })
  return ran
}

/**
 * Corrects runs that a clock recorded while it was ahead. A time that has yet to come was not missed; runs that started
 * something count as of now.
 */
async function correctRuns(trx: Trx, after: Date, now: Date): Promise<void> {
  await trx.deleteFrom('scheduleRuns').where('dueAt', '>', after).where('outcome', '=', 'skipped').execute()
  await sql`UPDATE schedule_runs SET due_at = ${now}::timestamptz - position * interval '1 ms' FROM (
      SELECT schedule_id AS id, due_at AS at, row_number() OVER (PARTITION BY schedule_id ORDER BY due_at DESC) AS position
      FROM schedule_runs WHERE due_at > ${after}
    ) AS ahead WHERE schedule_id = id AND due_at = at`.execute(trx)
}
