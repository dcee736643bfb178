import { isDeepStrictEqual } from 'node:util'
import { streamNames } from '#events/streams.ts'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { may } from '#events/contract/needs.ts'
import { forgetStates } from '#server/alerts/index.ts'
import type { Change } from '#server/platform/log/change.ts'
import { checkCron } from '#server/platform/cron.ts'
import { dueColumns } from '#server/platform/dueTimes.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { Problem, invalid, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { checkPayload } from './checkPayload.ts'
import { type ScheduleRow, draftOf } from './scheduleRow.ts'

export type Changer = Pick<Caller, 'id' | 'name' | 'roles' | 'address'>

/** Stores a schedule and returns its id. For scans, throws 403 if the user may not change settings. */
export async function createSchedule(
  { trx, by, record }: Change<Changer>,
  given: ScheduleDraft,
  now: Date,
): Promise<number> {
  if (given.jobGroup === 'SCANNER') checkMayScan(by)
  checkCron(given.cron, now)
  const draft = ownedBy(by, given)
  await checkPayload(trx, draft)
  const userId = draft.jobGroup === 'ALERT' ? by.id : null
  const row = { ...draft, payload: JSON.stringify(draft.payload), userId, ...dueColumns(draft, now) }
  const { id } = await trx.insertInto('schedules').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.schedule(id), { after: draft })
  return id
}

/**
 * Changes a schedule; jobs it started continue. A time that is already due stays due, unless the schedule's times
 * change.
 */
export async function updateSchedule(
  { trx, by, record }: Change<Changer>,
  id: number,
  given: ScheduleDraft,
  now: Date,
): Promise<void> {
  const draft = ownedBy(by, given)
  const row = await lockSchedule(trx, id, by)
  const before = draftOf(row)
  if (draft.jobClass !== before.jobClass) invalid('jobClass', 'cannot be changed')
  checkCron(draft.cron, now)
  await checkPayload(trx, draft)
  const isKept = draft.cron === before.cron && draft.paused === before.paused
  const changed = { ...draft, payload: JSON.stringify(draft.payload), ...(!isKept && dueColumns(draft, now)) }
  await trx.updateTable('schedules').set(changed).where('id', '=', id).execute()
  if (!isDeepStrictEqual(draft.payload, before.payload)) await forgetStates(trx, id)
  await record(streamNames.schedule(id), { before, after: draft })
}

/** Deletes a schedule and the records of its runs; jobs it started continue. */
export async function removeSchedule({ trx, by, record }: Change<Changer>, id: number): Promise<void> {
  const row = await lockSchedule(trx, id, by)
  await trx.deleteFrom('schedules').where('id', '=', id).execute()
  await record(streamNames.schedule(id), { before: draftOf(row) })
}

/** Throws 403 if the caller may not see and change schedules of scans. */
export function checkMayScan({ roles }: Pick<Caller, 'roles'>): void {
  if (!may(roles, 'settings.edit')) throw new Problem(403, 'You may not do this', { code: 'permission' })
}

/** Locks the row against other callers and the scheduler until the end of the transaction. */
export async function lockSchedule(trx: Trx, id: number, by: Changer): Promise<ScheduleRow> {
  const row = await trx.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row || (row.userId !== null && row.userId !== by.id)) return notFound('schedule', id)
  if (row.jobGroup === 'SCANNER') checkMayScan(by)
  return row
}

/** Sets the caller as the owner of an alert. The payload still matches its class. */
const ownedBy = ({ id }: Changer, draft: ScheduleDraft): ScheduleDraft =>
  draft.jobGroup === 'ALERT' ? ({ ...draft, payload: { ...draft.payload, userId: id } } as ScheduleDraft) : draft
