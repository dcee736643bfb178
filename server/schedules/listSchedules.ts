import { may } from '#events/contract/needs.ts'
import type { Schedule, schedules } from '#events/schedules/calls.ts'
import type { z } from 'zod'
import { deliveryStates } from '#server/notifications/index.ts'
import { nextTimes } from '#server/platform/cron.ts'
import { shownTimes } from '#server/platform/dueTimes.ts'
import { timeZone } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { checkMayScan } from './changeSchedule.ts'
import { alertKey, draftOf } from './scheduleRow.ts'

type Query = z.output<(typeof schedules)['list']['query']>
type Reader = Pick<Caller, 'id' | 'roles'>

/**
 * Lists the schedules of scans, or the alerts of a user: the caller, unless an administrator requests those of another
 * user.
 */
export async function listSchedules(db: Db, query: Query, by: Reader): Promise<Schedule[]> {
  const rows = await db
    .selectFrom('schedules')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('scheduleRuns')
          .select(['dueAt', 'outcome', 'jobId', 'reason'])
          .whereRef('scheduleId', '=', 'schedules.id')
          .orderBy('dueAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .leftJoin('jobs', 'jobs.id', 'last.jobId')
    .selectAll('schedules')
    .select(['last.dueAt', 'last.outcome', 'last.jobId', 'last.reason', 'jobs.status as jobStatus'])
    .where('jobGroup', '=', query.jobGroup)
    .where('schedules.userId', 'is not distinct from', ownerOf(query, by))
    .orderBy('schedules.id')
    .execute()
  const keys = rows.flatMap(({ id, dueAt, outcome }) => (dueAt && outcome === 'notified' ? [alertKey(id, dueAt)] : []))
  const mails = await deliveryStates(db, keys)
  return rows.map(({ dueAt, outcome, jobId, jobStatus, reason, ...row }) => ({
    ...draftOf(row),
    id: row.id,
    nextRuns: shownTimes(row.cron, row.nextDueAt),
    lastRun:
      dueAt && outcome
        ? {
            dueAt: dueAt.toISOString(),
            outcome,
            jobId,
            jobStatus,
            reason,
            mail: mails.get(alertKey(row.id, dueAt)) ?? null,
          }
        : null,
  }))
}

/** The user whose alerts are requested; null for scans, which have no owner. */
function ownerOf({ jobGroup, userId }: Query, by: Reader): number | null {
  if (jobGroup === 'SCANNER') {
    checkMayScan(by)
    return null
  }
  const owner = userId ?? by.id
  if (owner !== by.id && !may(by.roles, 'settings.edit'))
    throw new Problem(403, 'You may not do this', { code: 'permission' })
  return owner
}

/** The next five times of a valid expression. */
export const previewTimes = (cron: string, now: Date) => ({
  times: nextTimes(cron, now, 5).map((time) => time.toISOString()),
  timeZone: timeZone(),
})
