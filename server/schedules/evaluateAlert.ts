import { alertOnChecks, alertOnProjects, alertOnVolumes } from '#server/alerts/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Outcome } from './recordRun.ts'
import { alertOf, draftOf, type ScheduleRow } from './scheduleRow.ts'

/** Evaluates an alert at a due time, where it `repeats` lasting states, or after a scan. */
export async function evaluateAlert(
  trx: Trx,
  schedule: ScheduleRow,
  moment: { at: Date; repeats: boolean },
): Promise<Outcome> {
  const draft = draftOf(schedule)
  if (draft.jobGroup !== 'ALERT') return { outcome: 'nothing' }
  const alert = alertOf(schedule, draft, moment)
  switch (draft.jobClass) {
    case 'PROJECT_SPACE_ALERT':
      return alertOnProjects(trx, { ...draft.payload, ...alert, projectIds: draft.payload.resourceIds })
    case 'VOLUME_SPACE_ALERT':
      return alertOnVolumes(trx, { ...draft.payload, ...alert, volumeIds: draft.payload.resourceIds })
    case 'REPORT_CHECK_ALERT':
      return alertOnChecks(trx, { ...alert, reportIds: draft.payload.resourceIds })
  }
}
