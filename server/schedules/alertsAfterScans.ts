import { alertOnCrossings } from '#server/alerts/index.ts'
import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { recordRun } from './recordRun.ts'
import { alertOf, draftOf, projectsOf } from './scheduleRow.ts'

type Stores = Pick<Platform, 'db' | 'log' | 'live'>

/** Sends alerts of projects whenever their figures change, as after each scan, in addition to their due times. */
export const startAlertsAfterScans = (platform: Platform): Running =>
  runOnChange(
    platform,
    { topics: ['projects'], failed: 'Projects could not be looked at after a scan; it is tried again' },
    () => alertAfterScans(platform, new Date()),
  )

/** Checks all projects that alerts watch. A failing alert does not delay the others. */
export async function alertAfterScans({ db, log, live }: Stores, now: Date): Promise<void> {
  const alerts = db.selectFrom('schedules').select('id').where('jobClass', '=', 'PROJECT_SPACE_ALERT')
  let told = 0
  for (const { id } of await alerts.where('paused', '=', false).orderBy('id').execute()) {
    try {
      if (await alertOnce(db, id, now)) told++
    } catch (error) {
      log.error({ error, schedule: id }, 'An alert could not be given; it is tried again')
    }
  }
  if (told === 0) return
  wakeFollowers()
  live({ type: 'changed', topics: ['schedules'] })
}

/** Locks the alert, so that only one of several replicas sends it. False if there was nothing to send. */
const alertOnce = (db: Db, id: number, now: Date): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const rows = trx.selectFrom('schedules').selectAll().where('id', '=', id).where('paused', '=', false)
    const schedule = await rows.forUpdate().executeTakeFirst()
    if (!schedule) return false
    const draft = draftOf(schedule)
    if (draft.jobClass !== 'PROJECT_SPACE_ALERT') return false
    const came = await alertOnCrossings(trx, { ...alertOf(schedule, draft, now), ...projectsOf(draft.payload) })
    if (came.outcome === 'nothing') return false
    await recordRun(trx, schedule, now, came)
    return true
  })
