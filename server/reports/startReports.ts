import { nextTimes } from '#server/platform/cron.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { runEvery, type Running } from '#server/platform/runEvery.ts'
import { inTurn } from '#server/tasks/index.ts'
import { launchIn } from './launchReport.ts'
import { forgetOldRuns } from './runs/forgetOldRuns.ts'
import { undoLeftRuns } from './runs/undoRun.ts'

/** Milliseconds between checks for due reports, and for outdated runs. */
const dueIntervalMs = 1_000
const cleanupIntervalMs = 3_600_000

const scheduler: Actor = { name: 'schedule', address: null }

/** Starts reports at their scheduled times, each due time once over all replicas, and deletes results of old runs. */
export function startReports(platform: Platform): Running {
  const { log } = platform
  const parts = [
    runEvery(
      dueIntervalMs,
      async () => void (await launchDue(platform)),
      'could not start due reports, will retry',
      log,
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
export async function launchDue({ db, live }: Pick<Platform, 'db' | 'live'>, now = new Date()): Promise<number> {
  const due = await db.selectFrom('reportTemplates').select('id').where('nextDueAt', '<=', now).execute()
  let launched = 0
  for (const { id } of due) if (await launchOne(id)) launched++
  if (launched > 0) {
    wakeFollowers()
    live({ type: 'changed', topics: ['reports'] })
  }
  return launched

  async function launchOne(id: number): Promise<boolean> {
    const isMine = await db.transaction().execute((trx) => moveOn(trx, id, now))
    if (!isMine) return false
    try {
      await db.transaction().execute((trx) => launchIn(trx, id, scheduler))
      return true
    } catch (error) {
      // Skipped while a run is open, or if too many jobs are waiting.
      if (error instanceof Problem) return false
      throw error
    }
  }
}

/** Writes the next time of a report; returns whether it was still due. */
async function moveOn(trx: Trx, id: number, now: Date): Promise<boolean> {
  const row = trx.selectFrom('reportTemplates').select('cron').where('id', '=', id).where('nextDueAt', '<=', now)
  const due = await row.forUpdate().skipLocked().executeTakeFirst()
  if (!due) return false
  const [nextDueAt = null] = due.cron === null ? [] : nextTimes(due.cron, now, 1)
  await trx.updateTable('reportTemplates').set({ nextDueAt }).where('id', '=', id).execute()
  return true
}
