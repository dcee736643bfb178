import { streamNames } from '#events/streams.ts'
import { configured } from '#server/access/configurations/index.ts'
import { dueBy } from '#server/platform/dueTimes.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { type Outcome, recordRun } from './recordRun.ts'
import { evaluateAlert } from './evaluateAlert.ts'
import { draftOf, type ScheduleRow } from './scheduleRow.ts'
import { startScans } from './startScans.ts'

type Start = (trx: Trx, schedule: ScheduleRow, dueAt: Date) => Promise<Outcome>

/**
 * Runs a schedule if it is due, and advances its next due time, all in one transaction: if this process dies, a due
 * time either ran once or is still due. False if another replica is running it or already has.
 */
export async function runSchedule(db: Db, id: number, now: Date): Promise<boolean> {
  try {
    return await inTransaction(db, (trx) => runOnce(trx, id, now, start))
  } catch (error) {
    // Any error but a refusal is retried in the next round.
    if (!(error instanceof Problem)) throw error
    const outcome = error.status === 409 ? 'skipped' : 'failed'
    const refused: Start = async () => ({ outcome, reason: error.message })
    return inTransaction(db, (trx) => runOnce(trx, id, now, refused))
  }
}

/**
 * Starts the job before recording the run: starting locks storages, and all transactions lock the event log after them.
 */
async function runOnce(trx: Trx, id: number, now: Date, start: Start): Promise<boolean> {
  const schedule = await claim(trx, id, now)
  if (!schedule) return false
  const catchesUp = (await configured(trx, 'catchUpMissedRuns')) === 'true'
  const { next, ...due } = dueBy(schedule.cron, schedule.nextDueAt, now, catchesUp)
  const run = await unlessRun(trx, id, due.run)
  const missed = await unlessRun(trx, id, due.missed)
  const came = run && (await start(trx, schedule, run))
  if (missed) await recordRun(trx, schedule, system, missed, { outcome: 'skipped', reason: whyMissed(due.run) })
  if (run && came) await recordRun(trx, schedule, system, run, came)
  await trx.updateTable('schedules').set({ nextDueAt: next, dueAfter: now }).where('id', '=', id).execute()
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
    : 'Missed by more than an hour while the server was down. Catch up missed runs is off in the settings.'

const start: Start = async (trx, schedule, dueAt) =>
  draftOf(schedule).jobGroup === 'SCANNER'
    ? startScans(trx, schedule, { kind: 'system', name: streamNames.schedule(schedule.id), address: null })
    : evaluateAlert(trx, schedule, { at: dueAt, repeats: true })
