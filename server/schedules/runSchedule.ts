import { alertOnChecks, alertOnProjects, alertOnVolumes } from '#server/alerts/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { type Outcome, recordRun } from './recordRun.ts'
import { alertOf, draftOf, projectsOf, type ScheduleRow } from './scheduleRow.ts'
import { startScans } from './startScans.ts'
import { timesAfter } from '#server/platform/cron.ts'

type Start = (trx: Trx, schedule: ScheduleRow, dueAt: Date) => Promise<Outcome>

/**
 * Runs a schedule if it is due, and advances its next due time, all in one transaction: if this process dies, a due
 * time either ran once or is still due. False if another replica is running it or already has.
 */
export async function runSchedule(db: Db, id: number, now: Date): Promise<boolean> {
  try {
    return await db.transaction().execute((trx) => runOnce(trx, id, now, start))
  } catch (error) {
    // Any error but a refusal is retried in the next round.
    if (!(error instanceof Problem)) throw error
    const outcome = error.status === 409 ? 'skipped' : 'failed'
    const refused: Start = async () => ({ outcome, reason: error.message })
    return db.transaction().execute((trx) => runOnce(trx, id, now, refused))
  }
}

/**
 * Starts the job before recording the run: starting locks storages, and all transactions lock the event log after them.
 */
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

/** A time that already ran, before the clock was set back, does not run again. */
async function unlessRun(trx: Trx, scheduleId: number, dueAt: Date | undefined): Promise<Date | undefined> {
  if (!dueAt) return undefined
  const runs = trx.selectFrom('scheduleRuns').select('dueAt').where('scheduleId', '=', scheduleId)
  return (await runs.where('dueAt', '=', dueAt).executeTakeFirst()) ? undefined : dueAt
}

const whyMissed = (run: Date | undefined): string =>
  run
    ? `Missed while the server was down, like all runs before ${run.toISOString()}, which runs instead`
    : 'Missed while the server was down, too long ago to catch up'

const start: Start = async (trx, schedule, dueAt) => {
  const draft = draftOf(schedule)
  if (draft.jobGroup === 'SCANNER') return startScans(trx, schedule)
  const alert = alertOf(schedule, draft, dueAt)
  switch (draft.jobClass) {
    case 'PROJECT_SPACE_ALERT':
      return alertOnProjects(trx, { ...alert, ...projectsOf(draft.payload) })
    case 'VOLUME_SPACE_ALERT':
      return alertOnVolumes(trx, { ...draft.payload, ...alert, volumeIds: draft.payload.resourceIds })
    case 'REPORT_CHECK_ALERT':
      return alertOnChecks(trx, { ...alert, reportIds: draft.payload.resourceIds })
  }
}

/** Milliseconds after its due time within which a missed run is made up for. */
const madeUpWithin = 60 * 60 * 1000

/** Actions for the due times since the last check of a schedule. */
type Due = {
  /** The time that runs now: the last one, unless it is too long ago. */
  run: Date | undefined
  /** The first of the skipped times. */
  missed: Date | undefined
  /** Time of the next check; null if no times remain. */
  next: Date | null
}

/**
 * Runs only the last of the times between `first`, which is past, and now, and only within an hour. The next one is
 * later than now.
 */
export function dueBy(cron: string, first: Date, now: Date): Due {
  const oldest = new Date(now.getTime() - madeUpWithin)
  let run = first >= oldest ? first : undefined
  for (const time of timesAfter(cron, run ?? oldest)) {
    if (time > now) return { run, missed: run === first ? undefined : first, next: time }
    run = time
  }
  return { run, missed: run === first ? undefined : first, next: null }
}
