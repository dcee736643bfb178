import { streamNames } from '#events/streams.ts'
import type { ScheduleRun } from '#events/schedules/calls.ts'
import type { IncidentEvent } from '#events/schedules/incidents.ts'
import { record } from '#server/platform/log/audit.ts'
import { type Actor, deleteEvents, type Trx } from '#server/platform/log/eventLog.ts'
import { type ScheduleRow } from './scheduleRow.ts'

/** Outcome of a due time. */
export type Outcome = Pick<ScheduleRun, 'outcome'> & { jobId?: number; reason?: string | undefined }

/** Runs of a schedule that are kept, both here and in the event log. */
const keptRuns = 1_000

const eventTypes = {
  started: 'ScheduleStarted',
  notified: 'ScheduleNotified',
  nothing: 'ScheduleHadNothing',
  unknown: 'ScheduleWasUnknown',
  skipped: 'ScheduleSkipped',
  failed: 'ScheduleFailed',
} as const satisfies Record<ScheduleRun['outcome'], string>

const incidentTypes: IncidentEvent['type'][] = ['AlertFiring', 'AlertCleared', 'AlertMuted', 'AlertUnmuted']

/**
 * Records the outcome of a due time, also in the event log. If the due time already has a row, the transaction fails.
 */
export async function recordRun(trx: Trx, schedule: ScheduleRow, by: Actor, dueAt: Date, came: Outcome): Promise<void> {
  const run = { outcome: came.outcome, jobId: came.jobId ?? null, reason: came.reason ?? null }
  await trx
    .insertInto('scheduleRuns')
    .values({ ...run, scheduleId: schedule.id, dueAt })
    .execute()
  const about = { dueAt: dueAt.toISOString(), name: schedule.name, jobClass: schedule.jobClass }
  await record(trx, streamNames.schedule(schedule.id), by, { type: eventTypes[came.outcome], ...about, ...run })
  await forgetOldRuns(trx, schedule.id)
}

async function forgetOldRuns(trx: Trx, scheduleId: number): Promise<void> {
  const oldest = await trx
    .selectFrom('scheduleRuns')
    .select('dueAt')
    .where('scheduleId', '=', scheduleId)
    .orderBy('dueAt', 'desc')
    .offset(keptRuns - 1)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  const { numDeletedRows } = await trx
    .deleteFrom('scheduleRuns')
    .where('scheduleId', '=', scheduleId)
    .where('dueAt', '<', oldest.dueAt)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return
  await deleteEvents(trx, 'schedule', (events) =>
    events.and([
      events('stream', '=', streamNames.schedule(scheduleId)),
      events('type', 'in', [...Object.values(eventTypes), ...incidentTypes]),
      events('at', '<', oldest.dueAt),
    ]),
  )
}
