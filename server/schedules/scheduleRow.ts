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
type ProjectAlert = Extract<ScheduleDraft, { jobClass: 'PROJECT_SPACE_ALERT' }>

/** An alert sent at a moment. */
export const alertOf = ({ id, userId }: ScheduleRow, { name }: Alert, at: Date) => ({
  name,
  scheduleId: id,
  userId: userId ?? 0,
  key: `${streamNames.schedule(id)} ${at.toISOString()}`,
})

/** Projects and limits that an alert watches. */
export const projectsOf = ({ resourceIds, threshold, growthDays }: ProjectAlert['payload']) => ({
  projectIds: resourceIds,
  threshold,
  growthDays,
})
