import { type Incident, type IncidentEvent, incidentAfter, muteMs, type MuteTime } from '#events/schedules/incidents.ts'
import { may } from '#events/contract/needs.ts'
import { streamNames } from '#events/streams.ts'
import type { Selectable } from 'kysely'
import type { Caller } from '#server/platform/http/route.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Change } from '#server/platform/log/change.ts'
import { type Actor, system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { notFound } from '#server/platform/problem.ts'

type Row = Selectable<Tables['alertIncidents']>

/** A watched object that an alert fires about, with a text about its state. */
export type Firing = { id: number; text: string }

/**
 * Starts and ends incidents, so that those without an end are the given ones, and updates their texts. Objects of `unknownIds` could not be
 * evaluated, so their incidents continue. Returns the objects that are muted. Requires a lock of the schedule.
 */
export async function keepIncidents(
  trx: Trx,
  { scheduleId, at }: { scheduleId: number; at: Date },
  firing: Firing[],
  unknownIds: readonly number[],
): Promise<Set<number>> {
  const open = await openOf(trx, scheduleId)
  const texts = new Map(firing.map(({ id, text }) => [id, text]))
  for (const row of open) {
    const text = texts.get(row.watchedId)
    if (text === undefined && unknownIds.includes(row.watchedId)) continue
    if (text === undefined) {
      await keepEvent(trx, row, system, at, { type: 'AlertCleared' })
      if (muteOf(row, at) !== null) await forgetSent(trx, row)
    } else if (text !== row.text)
      await trx.updateTable('alertIncidents').set({ text }).where('id', '=', row.id).execute()
  }
  const known = new Set(open.map(({ watchedId }) => watchedId))
  for (const { id: watchedId, text } of firing)
    if (!known.has(watchedId))
      await keepEvent(trx, { scheduleId, watchedId, text }, system, at, { type: 'AlertFiring' })
  if (texts.size < open.length) await forgetOld(trx, scheduleId, at)
  return new Set(open.filter((row) => muteOf(row, at) !== null).map(({ watchedId }) => watchedId))
}

/** After a mute, the next start is sent at once: the minimum interval counts from messages that its user didn't mute. */
async function forgetSent(trx: Trx, { scheduleId, watchedId }: Row): Promise<void> {
  const nothing = { reportedAt: null }
  const states = trx.updateTable('alertStates').set(nothing).where('scheduleId', '=', scheduleId)
  await states.where('watchedId', '=', watchedId).execute()
  const checks = trx.updateTable('toldChecks').set(nothing).where('scheduleId', '=', scheduleId)
  await checks.where('templateId', '=', watchedId).execute()
}

/** Ends the incidents of an alert that was changed or paused. */
export async function endIncidents(trx: Trx, scheduleId: number, by: Actor, at: Date): Promise<void> {
  for (const row of await openOf(trx, scheduleId)) await keepEvent(trx, row, by, at, { type: 'AlertCleared' })
  const state = { alertState: null, alertReason: null }
  await trx.updateTable('schedules').set(state).where('id', '=', scheduleId).execute()
}

const openOf = (trx: Trx, scheduleId: number): Promise<Row[]> =>
  trx
    .selectFrom('alertIncidents')
    .selectAll()
    .where('scheduleId', '=', scheduleId)
    .where('endedAt', 'is', null)
    .execute()

type Kind = { type: 'AlertFiring' | 'AlertCleared' | 'AlertUnmuted' } | { type: 'AlertMuted'; until: string | null }

/** Records an event of an incident, and stores the state after it. */
async function keepEvent(
  trx: Trx,
  row: Pick<Row, 'scheduleId' | 'watchedId' | 'text'> & Partial<Row>,
  by: Actor,
  at: Date,
  kind: Kind,
): Promise<void> {
  const { id, scheduleId, watchedId, text } = row
  const alert = trx.selectFrom('schedules').select('name').where('id', '=', scheduleId)
  const { name } = await alert.executeTakeFirstOrThrow()
  const event: IncidentEvent = { at: at.toISOString(), name, watchedId, text, ...kind }
  const after = incidentAfter(id === undefined ? undefined : incidentOf(row as Row, at), event)
  const columns = {
    text: after.text,
    endedAt: after.endedAt === null ? null : new Date(after.endedAt),
    mutedAt: after.mute && at,
    mutedUntil: after.mute?.until ? new Date(after.mute.until) : null,
  }
  if (id === undefined)
    await trx
      .insertInto('alertIncidents')
      .values({ ...columns, scheduleId, watchedId, startedAt: at })
      .execute()
  else await trx.updateTable('alertIncidents').set(columns).where('id', '=', id).execute()
  await record(trx, streamNames.schedule(scheduleId), by, event)
}

const yearMs = 365 * 24 * 3_600_000
const forgetOld = (trx: Trx, scheduleId: number, now: Date) =>
  trx
    .deleteFrom('alertIncidents')
    .where('scheduleId', '=', scheduleId)
    .where('endedAt', '<', new Date(now.getTime() - yearMs))
    .execute()

/** Mutes an incident of the caller's alert, or unmutes it without a time. Throws 404 for others and ended ones. */
export async function muteIncident(
  { trx, by }: Change<Caller>,
  id: number,
  time: MuteTime | undefined,
  now: Date,
): Promise<void> {
  const own = await ownIncidents(trx, by)
    .where('alertIncidents.id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (!own) return notFound('firing alert', id)
  // The lock of evaluations, so that none of them ends the incident meanwhile.
  await trx.selectFrom('schedules').select('id').where('id', '=', own.scheduleId).forUpdate().execute()
  const row = (await openOf(trx, own.scheduleId)).find((open) => open.id === id) ?? notFound('firing alert', id)
  const ms = time && muteMs[time]
  const until = ms ? new Date(now.getTime() + ms).toISOString() : null
  await keepEvent(trx, row, by, now, time ? { type: 'AlertMuted', until } : { type: 'AlertUnmuted' })
}

/** Incidents of a user's alerts, including those of deleted users for administrators. */
const ownIncidents = (db: Db, { id, roles }: Pick<Caller, 'id' | 'roles'>) =>
  db
    .selectFrom('alertIncidents')
    .innerJoin('schedules', 'schedules.id', 'alertIncidents.scheduleId')
    .selectAll('alertIncidents')
    .where(({ eb, or }) =>
      or([eb('userId', '=', id), ...(may(roles, 'settings.edit') ? [eb('userId', 'is', null)] : [])]),
    )

/** Open incidents of the caller's alerts, the newest first. */
export async function firingIncidents(db: Db, by: Pick<Caller, 'id' | 'roles'>, now: Date): Promise<Incident[]> {
  const rows = await ownIncidents(db, by)
    .where('endedAt', 'is', null)
    .orderBy('startedAt', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => incidentOf(row, now))
}

const maxHistory = 200

/** Incidents of the caller's alert, the newest first. Throws 404 for alerts of others. */
export async function incidentsOf(
  db: Db,
  scheduleId: number,
  by: Pick<Caller, 'id' | 'roles'>,
  now: Date,
): Promise<Incident[]> {
  const alert = await db.selectFrom('schedules').select('userId').where('id', '=', scheduleId).executeTakeFirst()
  const isOwn = alert?.userId === by.id || (alert?.userId === null && may(by.roles, 'settings.edit'))
  if (!isOwn) return notFound('alert', scheduleId)
  const rows = ownIncidents(db, by).where('scheduleId', '=', scheduleId).orderBy('startedAt', 'desc').orderBy('id')
  return (await rows.limit(maxHistory).execute()).map((row) => incidentOf(row, now))
}

/** Number of objects that alerts of all users fire about, each counted once per alert, without muted ones. */
export async function countFiring(db: Db, now: Date): Promise<number> {
  const rows = await db.selectFrom('alertIncidents').selectAll().where('endedAt', 'is', null).execute()
  return rows.filter((row) => muteOf(row, now) === null).length
}

function muteOf({ mutedAt, mutedUntil }: Row, now: Date): Incident['mute'] {
  if (mutedAt === null || (mutedUntil !== null && mutedUntil <= now)) return null
  return { until: mutedUntil?.toISOString() ?? null }
}

const incidentOf = (row: Row, now: Date): Incident => ({
  id: row.id,
  alertId: row.scheduleId,
  watchedId: row.watchedId,
  text: row.text,
  ...(row.path !== null && { path: row.path }),
  startedAt: row.startedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  mute: muteOf(row, now),
})
