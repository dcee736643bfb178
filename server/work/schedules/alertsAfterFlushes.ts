import { sql } from 'kysely'
import { defaultMassFiles } from '#events/schedules/alerts.ts'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { streamNames } from '#events/streams.ts'
import { dueColumns } from '#server/platform/dueTimes.ts'
import { recordChange } from '#server/platform/log/audit.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { alertOnMassChanges, liveStorages, type MassRule, watchStorages } from '#server/work/alerts/index.ts'
import { recordRun } from './recordRun.ts'
import { alertOf, draftOf, type ScheduleRow } from './scheduleRow.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live'>
type Watched = Awaited<ReturnType<typeof watchStorages>>[number]['watched']

/** Evaluates alerts of mass changes while files of live storages change, at most twice a second. */
export function startAlertsAfterFlushes(platform: Platform): Running {
  const readAt = new Map<number, number>()
  const failed = 'could not evaluate alerts of mass changes, will retry'
  return runOnChange(platform, { topics: ['live'], failed }, () => alertAfterFlush(platform, new Date(), readAt))
}

/** Evaluates all alerts of mass changes. Administrators get one with the first live storage. */
export async function alertAfterFlush(stores: Stores, now: Date, readAt = new Map<number, number>()): Promise<void> {
  const { db, live } = stores
  const storages = await liveStorages(db)
  if (storages.length === 0) return
  await addMissing(db, now)
  const alerts = await massAlerts(db).orderBy('id').execute()
  if (alerts.length === 0) return
  const found = await watchStorages(stores, storages, alerts.flatMap(ruleOf), now, readAt)
  let changed = 0
  for (const { scheduleId, watched, isNew } of found) {
    const evaluatedAt = alerts.find(({ id }) => id === scheduleId)?.evaluatedAt
    if (!isNew && evaluatedAt && now.getTime() - evaluatedAt.getTime() < shownMs) continue
    await alertOnce(db, scheduleId, watched, now)
    changed++
  }
  if (changed > 0) live({ type: 'changed', topics: ['schedules'] })
}

/** Milliseconds after which the list of alerts shows a newer evaluation without news. */
const shownMs = 60_000

const massAlerts = (db: Pick<Db, 'selectFrom'>) =>
  db.selectFrom('schedules').selectAll().where('jobClass', '=', 'MASS_CHANGE_ALERT').where('paused', '=', false)

function ruleOf(row: ScheduleRow): MassRule[] {
  const { jobClass, payload } = draftOf(row)
  if (jobClass !== 'MASS_CHANGE_ALERT') return []
  const { files, all, resourceIds } = payload
  return [{ scheduleId: row.id, files, volumeIds: all ? undefined : resourceIds }]
}

/** Locks the alert, so that only one of several replicas sends it. */
const alertOnce = (db: Db, id: number, watched: Watched, now: Date): Promise<void> =>
  inTransaction(db, async (trx) => {
    const schedule = await massAlerts(trx).where('id', '=', id).forUpdate().executeTakeFirst()
    if (!schedule) return
    const draft = draftOf(schedule)
    if (draft.jobClass !== 'MASS_CHANGE_ALERT') return
    const alert = { ...alertOf(schedule, draft, { at: now, repeats: false }), files: draft.payload.files }
    const came = await alertOnMassChanges(trx, alert, watched)
    if (came.outcome !== 'nothing') await recordRun(trx, schedule, system, now, came)
  })

/** Adds an alert for each administrator who never had one. One who deletes it doesn't get another one. */
async function addMissing(db: Db, now: Date): Promise<void> {
  const without = sql<boolean>`NOT has_mass_change_alert AND 'ROLE_ADMIN' = any(roles) AND disabled_at IS NULL`
  const missing = await db.selectFrom('users').select('id').where(without).limit(1).executeTakeFirst()
  if (!missing) return
  await inTransaction(db, async (trx) => {
    const users = trx.updateTable('users').set({ hasMassChangeAlert: true }).where(without).returning('id')
    for (const { id: userId } of await users.execute()) {
      const draft = {
        name: 'Mass changes',
        cron: '0 0 0 * * ?',
        paused: false,
        jobGroup: 'ALERT',
        jobClass: 'MASS_CHANGE_ALERT',
        payload: { userId, resourceIds: [], all: true, files: defaultMassFiles },
      } satisfies ScheduleDraft
      const row = { ...draft, userId, payload: JSON.stringify(draft.payload), ...dueColumns(draft, now) }
      const { id } = await trx.insertInto('schedules').values(row).returning('id').executeTakeFirstOrThrow()
      await recordChange(trx, streamNames.schedule(id), system, { after: draft })
    }
  })
}
