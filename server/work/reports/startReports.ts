import { sql } from 'kysely'
import { streamNames } from '#events/streams.ts'
import { configured } from '#server/access/configurations/index.ts'
import { dueBy, runWhenDue } from '#server/platform/dueTimes.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { runEvery, type Running, newItemLoop } from '#server/platform/runEvery.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { inTurn } from '#server/workers/tasks/index.ts'
import { launchIn } from './launchReport.ts'
import { forgetOldRuns } from './runs/forgetOldRuns.ts'
import { undoLeftRuns } from './runs/undoRun.ts'

/** Milliseconds between checks for outdated runs. */
const cleanupIntervalMs = 3_600_000

const scheduler: Actor = { kind: 'system', name: 'schedule', address: null }

const failedLaunch = 'could not start a due report'

/** Starts reports at their scheduled times, each due time once over all replicas, and deletes results of old runs. */
export function startReports(platform: Platform, now = () => new Date()): Running {
  const { log } = platform
  const each = newItemLoop(log, failedLaunch)
  const parts = [
    runWhenDue(
      platform,
      {
        table: 'reportTemplates',
        work: (at) => launchDue(platform, at, each),
        correctRecords: correctRuns,
        failed: 'could not start due reports, will retry',
      },
      now,
    ),
    runEvery(cleanupIntervalMs, () => forgetOldRuns(platform), 'could not delete the results of old report runs', log),
    runEvery(
      cleanupIntervalMs,
      () => inTurn(platform.db, 'RUN_REPORT', () => undoLeftRuns(platform)),
      'could not undo failed report runs',
      log,
    ),
  ]
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) }
}

/** Launches the reports due at a moment, and returns their number. Of several missed times only the last one counts. */
export async function launchDue(
  { db, live, log }: Pick<Platform, 'db' | 'live' | 'log'>,
  now = new Date(),
  each = newItemLoop(log, failedLaunch),
): Promise<number> {
  const due = await db.selectFrom('reportTemplates').select('id').where('nextDueAt', '<=', now).execute()
  let launched = 0
  await each(
    due,
    ({ id }) => `report ${id}`,
    async ({ id }) => void ((await launchOne(db, id, now)) && launched++),
  )
  if (launched > 0) live({ type: 'changed', topics: ['reports'] })
  return launched
}

/** Launches a report and stores its next time in one transaction. A refusal, as while a run is open, skips the time. */
async function launchOne(db: Db, id: number, now: Date): Promise<boolean> {
  try {
    return await inTransaction(db, (trx) => claimDue(trx, id, now))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return inTransaction(db, (trx) => claimDue(trx, id, now, error.message))
  }
}

/** Returns whether a run was launched; `refusal` is the reason why it can't be. */
async function claimDue(trx: Trx, id: number, now: Date, refusal?: string): Promise<boolean> {
  const row = trx.selectFrom('reportTemplates').select(['name', 'cron', 'nextDueAt']).where('id', '=', id)
  const found = await row.where('nextDueAt', '<=', now).forUpdate().skipLocked().executeTakeFirst()
  if (!found?.nextDueAt || found.cron === null) return false
  const catchesUp = (await configured(trx, 'catchUpMissedRuns')) === 'true'
  const { run, missed, next } = dueBy(found.cron, found.nextDueAt, now, catchesUp)
  await trx.updateTable('reportTemplates').set({ nextDueAt: next, dueAfter: now }).where('id', '=', id).execute()
  const skipped = refusal === undefined ? (run ? undefined : missed) : run
  if (skipped) {
    const reason = refusal ?? 'Missed by more than an hour while the server was down'
    const fact = { type: 'ReportSkipped', name: found.name, dueAt: skipped.toISOString(), reason }
    await record(trx, streamNames.report(id), scheduler, fact)
    return false
  }
  if (!run || (await hasRun(trx, id, run))) return false
  await launchIn(trx, id, scheduler, run)
  return true
}

/** A time that already ran, before the clock was set back, does not run again. */
async function hasRun(trx: Trx, templateId: number, dueAt: Date): Promise<boolean> {
  const runs = trx.selectFrom('reportRuns').select('id').where('templateId', '=', templateId)
  return (await runs.where('dueAt', '=', dueAt).executeTakeFirst()) !== undefined
}

/** Runs that a clock recorded while it was ahead count as of now. */
async function correctRuns(trx: Trx, after: Date, now: Date): Promise<void> {
  await sql`UPDATE report_runs SET started_at = least(started_at, ${now}), ended_at = least(ended_at, ${now})
    WHERE started_at > ${after} OR ended_at > ${after}`.execute(trx)
}
