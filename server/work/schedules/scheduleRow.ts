import type { Selectable } from 'kysely'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { streamNames } from '#events/streams.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

export type ScheduleRow = Selectable<Tables['schedules']>

/**
 * The draft that a row was made from, with the sealed webhook of an alert. Class and payload match, because they were read
 * together.
 */
export function draftOf({
  name,
  cron,
  paused,
  jobGroup,
  jobClass,
  payload,
  delivery,
  webhook,
}: ScheduleRow): ScheduleDraft {
  // Deliveries of earlier versions have no channels.
  const recipients = delivery && { delivery: { ...delivery, channelIds: delivery.channelIds ?? [], webhook } }
  return { name, cron, paused, jobGroup, jobClass, payload, ...recipients } as ScheduleDraft
}

type Alert = Extract<ScheduleDraft, { jobGroup: 'ALERT' }>

/** Start of the keys of an alert's messages at a moment; that of the email to its user. */
export const alertKey = (id: number, at: Date): string => `${streamNames.schedule(id)} ${at.toISOString()}`

/** An alert sent at a moment: a due time, at which lasting states are reported again, or the end of a scan. */
export const alertOf = (
  { id, userId, delivery, webhook }: ScheduleRow,
  { name, payload }: Alert,
  { at, repeats }: { at: Date; repeats: boolean },
) => ({
  name,
  scheduleId: id,
  userId: userId ?? 0,
  at,
  repeats,
  repeatHours: payload.repeatHours,
  key: alertKey(id, at),
  ...(delivery && { recipients: { ...delivery, webhook } }),
})
