import { system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { evaluateAlert } from './evaluateAlert.ts'
import { type Outcome, recordRun } from './recordRun.ts'

type Stores = Pick<Platform, 'db' | 'log' | 'live'>

/** Alerts that are also evaluated after scans. */
const afterScans = ['PROJECT_SPACE_ALERT', 'VOLUME_SPACE_ALERT', 'SCAN_FAILED_ALERT', 'SCAN_OVERDUE_ALERT'] as const

/** Evaluates alerts of storages and projects after each scan, also a failed one, and when figures change. */
export const startAlertsAfterScans = (platform: Platform): Running =>
  runOnChange(
    platform,
    { topics: ['projects', 'snapshots', 'jobs'], failed: 'could not evaluate alerts after a scan, will retry' },
    () => alertAfterScans(platform, new Date()),
  )

/** Evaluates all alerts of storages and projects. A failing alert does not delay the others. */
export async function alertAfterScans({ db, log, live }: Stores, now: Date): Promise<void> {
  const alerts = db.selectFrom('schedules').select('id').where('jobClass', 'in', afterScans)
  let evaluated = 0
  for (const { id } of await alerts.where('paused', '=', false).orderBy('id').execute()) {
    try {
      evaluated++
      await alertOnce(db, id, now)
    } catch (error) {
      log.error({ error, schedule: id }, 'could not evaluate an alert, will retry')
    }
  }
  if (evaluated > 0) live({ type: 'changed', topics: ['schedules'] })
}

/** Locks the alert, so that only one of several replicas sends it. False if there is nothing new to record. */
const alertOnce = (db: Db, id: number, now: Date): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const rows = trx.selectFrom('schedules').selectAll().where('id', '=', id).where('paused', '=', false)
    const schedule = await rows.forUpdate().executeTakeFirst()
    if (!schedule) return false
    const came = await evaluateAlert(trx, schedule, { at: now, repeats: false })
    if (came.outcome === 'nothing' || came.outcome === 'unknown' || (await isSameFailure(trx, id, came))) return false
    await recordRun(trx, schedule, system, now, came)
    return true
  })

/** True if the last run failed in the same way: a missing address is recorded once, not after every scan. */
async function isSameFailure(trx: Trx, scheduleId: number, { outcome, reason }: Outcome): Promise<boolean> {
  if (outcome !== 'failed') return false
  const runs = trx.selectFrom('scheduleRuns').select(['outcome', 'reason']).where('scheduleId', '=', scheduleId)
  const last = await runs.orderBy('dueAt', 'desc').limit(1).executeTakeFirst()
  return last?.outcome === outcome && last.reason === (reason ?? null)
}
