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

/** How long after it was due a run is still made up for, in milliseconds. */
const madeUpWithin = 60 * 60 * 1000

/** What is to be done of the times since a schedule was looked after last. */
type Due = {
  /** The time that is run now: the last one, unless it is too long ago. */
  run: Date | undefined
  /** The first of the times that nothing is done for any more. */
  missed: Date | undefined
  /** When to look again; null when no time is left. */
  next: Date | null
}

/**
 * Of all times from `first`, which is over, to now the last one is run, and that only within an hour. The next one is later
 * than now.
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
