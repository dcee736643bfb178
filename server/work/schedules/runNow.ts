import { isOpen } from '#events/jobs/states.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { type Changer, lockSchedule } from './changeSchedule.ts'
import { recordRun } from './recordRun.ts'
import { startScans } from './startScans.ts'

/**
 * Starts the scans of a schedule for a user and records that as a run; due times stay unchanged. Throws 409 while the job
 * of an earlier run is open, and with the reason if there is nothing to start.
 */
export async function runNow({ trx, by }: Change<Changer>, id: number, now: Date): Promise<number> {
  const schedule = await lockSchedule(trx, id, by)
  if (schedule.jobGroup !== 'SCANNER') return notFound('schedule', id)
  const open = await openJob(trx, id)
  if (open !== undefined) conflict(`Job ${open} of this schedule is still running`)
  const { outcome, jobId, reason } = await startScans(trx, schedule, by)
  if (jobId === undefined) return conflict(reason ?? 'There is nothing to scan')
  await recordRun(trx, schedule, by, now, { outcome, jobId, reason })
  return jobId
}

/** The newest job of a schedule, if it is open. */
async function openJob(trx: Trx, scheduleId: number): Promise<number | undefined> {
  const last = await trx
    .selectFrom('scheduleRuns')
    .innerJoin('jobs', 'jobs.id', 'scheduleRuns.jobId')
    .select(['jobs.id', 'jobs.status'])
    .where('scheduleId', '=', scheduleId)
    .orderBy('dueAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last && isOpen(last) ? last.id : undefined
}
