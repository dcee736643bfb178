import { isDeepStrictEqual } from 'node:util'
import { streamNames } from '#events/streams.ts'
import type { AlertDelivery } from '#events/schedules/alerts.ts'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { may } from '#events/contract/needs.ts'
import { endIncidents, forgetStates } from '#server/work/alerts/index.ts'
import { acceptAdded, checkChannels } from '#server/messages/notifications/index.ts'
import type { Change } from '#server/platform/log/change.ts'
import { checkStored } from '#server/platform/crud/checkStored.ts'
import { checkCron } from '#server/platform/cron.ts'
import { dueColumns } from '#server/platform/dueTimes.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { Problem, invalid, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { checkDelivery, checkPayload } from './checkPayload.ts'
import { type ScheduleRow, draftOf } from './scheduleRow.ts'

export type Changer = Pick<Caller, 'id' | 'name' | 'roles' | 'address'>

/**
 * Stores a schedule and returns its id; `webhook` is the sealed address of an alert. For scans, throws 403 if the user may not
 * change settings. Throws 429 above the user's limit of alerts, or the limit of scan schedules.
 */
export async function createSchedule(
  { trx, by, record }: Change<Changer>,
  given: ScheduleDraft,
  now: Date,
  webhook: string | null = null,
): Promise<number> {
  if (given.jobGroup === 'SCANNER') checkMayScan(by)
  checkCron(given.cron, now)
  const draft = ownedBy(by, given)
  await checkPayload(trx, draft)
  checkDelivery(draft, by)
  await checkChannels(trx, by, 'delivery.channelIds', channelsOf(draft))
  await checkCount(trx, draft, by)
  await acceptAdded(trx, by, deliveryOf(draft)?.addresses ?? [])
  const row = { ...columnsOf(draft, by, webhook), ...dueColumns(draft, now) }
  const { id } = await trx.insertInto('schedules').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.schedule(id), { after: audited(draft) })
  return id
}

/**
 * Changes a schedule; jobs it started continue. A time that is already due stays due, unless the schedule's times
 * change. An alert of a deleted user becomes the caller's.
 */
export async function updateSchedule(
  { trx, by, record }: Change<Changer>,
  id: number,
  given: ScheduleDraft,
  now: Date,
  webhook: string | null = null,
): Promise<void> {
  const draft = ownedBy(by, given)
  const row = await lockSchedule(trx, id, by)
  const before = draftOf(row)
  if (draft.jobClass !== before.jobClass) invalid('jobClass', 'cannot be changed')
  checkCron(draft.cron, now, before.cron)
  await checkPayload(trx, draft, before)
  checkDelivery(draft, by)
  await checkChannels(trx, by, 'delivery.channelIds', channelsOf(draft), channelsOf(before))
  await acceptAdded(trx, by, deliveryOf(draft)?.addresses ?? [])
  const isKept = draft.cron === before.cron && draft.paused === before.paused
  const changed = { ...columnsOf(draft, by, webhook), ...(!isKept && dueColumns(draft, now)) }
  await trx.updateTable('schedules').set(changed).where('id', '=', id).execute()
  const isSame = isDeepStrictEqual(draft.payload, before.payload)
  if (!isSame) await forgetStates(trx, id)
  if (!isSame || (draft.paused && !before.paused)) await endIncidents(trx, id, by, now)
  await record(streamNames.schedule(id), { before: audited(before), after: audited(draft) })
}

/** Deletes a schedule and the records of its runs; jobs it started continue. */
export async function removeSchedule({ trx, by, record }: Change<Changer>, id: number): Promise<void> {
  const row = await lockSchedule(trx, id, by)
  await trx.deleteFrom('schedules').where('id', '=', id).execute()
  await record(streamNames.schedule(id), { before: audited(draftOf(row)) })
}

async function checkCount(trx: Trx, { jobGroup }: ScheduleDraft, by: Changer): Promise<void> {
  const same = trx.selectFrom('schedules').where('jobGroup', '=', jobGroup)
  if (jobGroup === 'ALERT') await checkStored(trx, by, 'alertsPerUser', same.where('userId', '=', by.id))
  else await checkStored(trx, by, 'scanSchedules', same)
}

/** Throws 403 if the caller may not see and change schedules of scans. */
export function checkMayScan({ roles }: Pick<Caller, 'roles'>): void {
  if (!may(roles, 'settings.edit'))
    throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
}

/**
 * Locks the row against other callers and the scheduler until the end of the transaction. Throws 404 for alerts of other
 * users; those of deleted users are for administrators.
 */
export async function lockSchedule(trx: Trx, id: number, by: Changer): Promise<ScheduleRow> {
  const row = await trx.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  const isOwn = row?.userId === by.id || (row?.userId === null && may(by.roles, 'settings.edit'))
  if (!row || (row.jobGroup === 'ALERT' && !isOwn)) return notFound('schedule', id)
  if (row.jobGroup === 'SCANNER') checkMayScan(by)
  return row
}

/** Sets the caller as the owner of an alert. The payload still matches its class. */
const ownedBy = ({ id }: Changer, draft: ScheduleDraft): ScheduleDraft =>
  draft.jobGroup === 'ALERT' ? ({ ...draft, payload: { ...draft.payload, userId: id } } as ScheduleDraft) : draft

const deliveryOf = (draft: ScheduleDraft): AlertDelivery | undefined =>
  draft.jobGroup === 'ALERT' ? draft.delivery : undefined

const channelsOf = (draft: ScheduleDraft): number[] => deliveryOf(draft)?.channelIds ?? []

/** `webhook` is the sealed address of an alert, which has a column of its own. */
function columnsOf(draft: ScheduleDraft, by: Changer, webhook: string | null) {
  const { name, cron, paused, jobGroup, jobClass, payload } = draft
  const { webhook: _, ...delivery } = deliveryOf(draft) ?? {}
  return {
    name,
    cron,
    paused,
    jobGroup,
    jobClass,
    userId: jobGroup === 'ALERT' ? by.id : null,
    webhook,
    payload: JSON.stringify(payload),
    delivery: deliveryOf(draft) ? JSON.stringify(delivery as Omit<AlertDelivery, 'webhook'>) : null,
  }
}

/** The record for the event log. A webhook's address is often as good as a password, and its template may contain one. */
function audited(draft: ScheduleDraft): ScheduleDraft {
  const delivery = deliveryOf(draft)
  if (!delivery) return draft
  const webhook = delivery.webhook && `${URL.parse(delivery.webhook)?.origin ?? ''}/…`
  return { ...draft, delivery: { ...delivery, webhook, webhookTemplate: null } } as ScheduleDraft
}
