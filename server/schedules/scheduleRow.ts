import type { Selectable } from 'kysely'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { streamNames } from '#events/streams.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

export type ScheduleRow = Selectable<Tables['schedules']>

/** The draft that a row was made from. Class and payload match, because they were read together. */
export function draftOf({ name, cron, paused, jobGroup, jobClass, payload }: ScheduleRow): ScheduleDraft {
  return { name, cron, paused, jobGroup, jobClass, payload } as ScheduleDraft
}

type Alert = Extract<ScheduleDraft, { jobGroup: 'ALERT' }>

/** Key of the mail of an alert at a moment. */
export const alertKey = (id: number, at: Date): string => `${streamNames.schedule(id)} ${at.toISOString()}`

/** An alert sent at a moment: a due time, at which lasting states are reported again, or the end of a scan. */
export const alertOf = (
  { id, userId }: ScheduleRow,
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
})
