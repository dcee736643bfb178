import type { ScheduleDraft } from '#events/schedules/calls.ts'
import {
  alertOnChecks,
  alertOnFailedScans,
  alertOnGrowth,
  alertOnOverdueScans,
  alertOnProjects,
  alertOnVolumes,
  alertTypes,
  keepEvaluation,
} from '#server/work/alerts/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Outcome } from './recordRun.ts'
import { alertOf, draftOf, type ScheduleRow } from './scheduleRow.ts'

type Alert = Extract<ScheduleDraft, { jobGroup: 'ALERT' }>

/** Evaluates an alert at a due time, where it `repeats` lasting states, or after a scan. */
export async function evaluateAlert(
  trx: Trx,
  schedule: ScheduleRow,
  moment: { at: Date; repeats: boolean },
): Promise<Outcome> {
  const draft = draftOf(schedule)
  if (draft.jobGroup !== 'ALERT') return { outcome: 'nothing' }
  const ids = draft.payload.all ? await allIds(trx, draft.jobClass) : draft.payload.resourceIds
  if (ids.length > 0) return evaluate(trx, draft, { ...alertOf(schedule, draft, moment), ids })
  await keepEvaluation(trx, { scheduleId: schedule.id, at: moment.at }, { firing: [], unknown: [] })
  return { outcome: 'nothing' }
}

async function evaluate(
  trx: Trx,
  draft: Alert,
  { ids, ...alert }: ReturnType<typeof alertOf> & { ids: number[] },
): Promise<Outcome> {
  switch (draft.jobClass) {
    case 'PROJECT_SPACE_ALERT':
      return alertOnProjects(trx, { ...draft.payload, ...alert, projectIds: ids })
    case 'VOLUME_SPACE_ALERT': {
      const { growthDays, ...limits } = draft.payload
      if (growthDays === undefined) return alertOnVolumes(trx, { ...limits, ...alert, volumeIds: ids })
      return alertOnGrowth(trx, { ...limits, growthDays, ...alert, volumeIds: ids })
    }
    case 'SCAN_FAILED_ALERT':
      return alertOnFailedScans(trx, { ...alert, volumeIds: ids })
    case 'SCAN_OVERDUE_ALERT':
      return alertOnOverdueScans(trx, { ...alert, volumeIds: ids, days: draft.payload.days })
    case 'REPORT_CHECK_ALERT':
      return alertOnChecks(trx, { ...alert, reportIds: ids })
    case 'MASS_CHANGE_ALERT':
      return { outcome: 'nothing' }
  }
}

/**
 * Everything that an alert of a class can watch now. Storages that were never scanned have no size yet: they belong to
 * alerts about scans.
 */
async function allIds(trx: Trx, jobClass: Alert['jobClass']): Promise<number[]> {
  if (jobClass === 'PROJECT_SPACE_ALERT') return idsOf(trx.selectFrom('projects').select('id').execute())
  if (jobClass === 'REPORT_CHECK_ALERT') return idsOf(trx.selectFrom('reportTemplates').select('id').execute())
  const storages = trx.selectFrom('volumes').select('id').where('deletedAt', 'is', null)
  if (jobClass !== 'VOLUME_SPACE_ALERT') return idsOf(storages.execute())
  return idsOf(storages.where('type', 'in', alertTypes).where('committedScan', 'is not', null).execute())
}

const idsOf = async (rows: Promise<{ id: number }[]>): Promise<number[]> => (await rows).map(({ id }) => id)
