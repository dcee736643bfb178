import { tellOfVolumes } from '#server/alerts/index.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { dueBy } from './due.ts'
import { type Outcome, recordRun } from './recordRun.ts'
import { type ScheduleRow, draftOf, streamOf } from './scheduleRow.ts'
import { startScans } from './startScans.ts'

type Start = (trx: Trx, schedule: ScheduleRow, dueAt: Date) => Promise<Outcome>

/**
 * Does what is due of a schedule, and moves its next due time on, all in one transaction: whenever this process dies, a
 * due time was run once or is still due. False when another replica is at it or was before.
 */
export async function runSchedule(db: Db, id: number, now: Date): Promise<boolean> {
  try {
    return await db.transaction().execute((trx) => runOnce(trx, id, now, start))
  } catch (error) {
    // Anything but a refusal is tried again in the next round.
    if (!(error instanceof Problem)) throw error
    const outcome = error.status === 409 ? 'skipped' : 'failed'
    const refused: Start = async () => ({ outcome, reason: error.message })
    return db.transaction().execute((trx) => runOnce(trx, id, now, refused))
  }
}

/** What is started locks storages, and the event log is locked after them by all: so it comes before what is recorded. */
async function runOnce(trx: Trx, id: number, now: Date, start: Start): Promise<boolean> {
  const schedule = await claim(trx, id, now)
  if (!schedule) return false
  const { next, ...due } = dueBy(schedule.cron, schedule.nextDueAt, now)
  const run = await unlessRun(trx, id, due.run)
  const missed = await unlessRun(trx, id, due.missed)
  const came = run && (await start(trx, schedule, run))
  if (missed) await recordRun(trx, schedule, missed, { outcome: 'skipped', reason: whyMissed(due.run) })
  if (run && came) await recordRun(trx, schedule, run, came)
  await trx.updateTable('schedules').set({ nextDueAt: next }).where('id', '=', id).execute()
  return true
}

async function claim(trx: Trx, id: number, now: Date) {
  const row = await trx
    .selectFrom('schedules')
    .selectAll()
    .where('id', '=', id)
    .where('nextDueAt', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.nextDueAt ? { ...row, nextDueAt: row.nextDueAt } : undefined
}

/** A time that was run before, because the clock was set back since, is not run again. */
async function unlessRun(trx: Trx, scheduleId: number, dueAt: Date | undefined): Promise<Date | undefined> {
  if (!dueAt) return undefined
  const runs = trx.selectFrom('scheduleRuns').select('dueAt').where('scheduleId', '=', scheduleId)
  return (await runs.where('dueAt', '=', dueAt).executeTakeFirst()) ? undefined : dueAt
}

const whyMissed = (run: Date | undefined): string =>
  run
    ? `Missed while the server was away, with all times before ${run.toISOString()}, which is run in their place`
    : 'Missed while the server was away, too long ago to be made up for'

const start: Start = async (trx, schedule, dueAt) => {
  const draft = draftOf(schedule)
  if (draft.jobGroup === 'SCANNER') return startScans(trx, schedule)
  if (draft.jobClass === 'PROJECT_SPACE_ALERT')
    return { outcome: 'failed', reason: 'Alerts of projects are not available in this version.' }
  const { threshold, resourceIds: volumeIds } = draft.payload
  const key = `${streamOf(schedule.id)} ${dueAt.toISOString()}`
  return tellOfVolumes(trx, { name: draft.name, userId: schedule.userId ?? 0, threshold, volumeIds, key })
}
