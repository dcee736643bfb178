import type { Selectable } from 'kysely'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

export type ScheduleRow = Selectable<Tables['schedules']>

/** The draft that a row was made from. Class and payload fit together, because they were read together. */
export function draftOf({ name, cron, paused, jobGroup, jobClass, payload }: ScheduleRow): ScheduleDraft {
  return { name, cron, paused, jobGroup, jobClass, payload } as ScheduleDraft
}
