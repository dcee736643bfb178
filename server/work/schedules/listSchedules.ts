import { may } from '#events/contract/needs.ts'
import type { Schedule, schedules } from '#events/schedules/calls.ts'
import type { z } from 'zod'
import type { ExpressionBuilder } from 'kysely'
import type { DeliveryState } from '#events/schedules/alerts.ts'
import { deliveriesOf, readWebhook } from '#server/messages/notifications/index.ts'
import { nextTimes } from '#server/platform/cron.ts'
import { shownTimes } from '#server/platform/dueTimes.ts'
import { timeZone } from '#server/platform/days.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { checkMayScan } from './changeSchedule.ts'
import { alertKey, draftOf, type ScheduleRow } from './scheduleRow.ts'

type Query = z.output<(typeof schedules)['list']['query']>
type Reader = Pick<Caller, 'id' | 'roles'>
type Stores = Pick<Platform, 'db' | 'config'>
type Delivery = Awaited<ReturnType<typeof deliveriesOf>>[number]

/**
 * Lists the schedules of scans, or the alerts of a user: the caller, unless an administrator requests those of another
 * user. Administrators' own alerts include those of deleted users.
 */
export async function listSchedules({ db, config }: Stores, query: Query, by: Reader): Promise<Schedule[]> {
  const rows = await rowsOf(db, query, ownersOf(query, by))
  const keys = rows.flatMap(({ id, sentAt }) => (sentAt ? [alertKey(id, sentAt)] : []))
  const deliveries = await deliveriesOf(db, keys)
  return Promise.all(
    rows.map(async ({ lastDueAt, outcome, jobId, jobStatus, jobStartedAt, reason, sentAt, sentReason, ...row }) => {
      const key = sentAt && alertKey(row.id, sentAt)
      const sent = key ? deliveries.filter((one) => one.key.startsWith(key)) : []
      const isSentNow = lastDueAt?.getTime() === sentAt?.getTime()
      const dueAt = lastDueAt?.toISOString()
      const startedAt = jobStartedAt?.toISOString() ?? null
      const lastRun = dueAt &&
        outcome && { dueAt, outcome, jobId, jobStatus, startedAt, reason, mail: isSentNow ? worstOf(sent) : null }
      const { draft, isWebhookLost } = await opened(config, row)
      return {
        ...draft,
        id: row.id,
        nextRuns: shownTimes(row.cron, row.nextDueAt),
        lastRun: lastRun || null,
        ...(draft.jobGroup === 'ALERT' && {
          alert: {
            ...evaluationOf(row),
            lastSent: sentAt && { at: sentAt.toISOString(), reason: sentReason, deliveries: sent.map(shownDelivery) },
            isWebhookLost,
          },
        }),
      }
    }),
  )
}

type Evaluated = ScheduleRow & { firingSince: Date | null }

const evaluationOf = ({ alertState, evaluatedAt, alertReason, userId, firingSince }: Evaluated) => ({
  state: alertState,
  evaluatedAt: evaluatedAt?.toISOString() ?? null,
  firingSince: firingSince?.toISOString() ?? null,
  reason: alertReason,
  isOwnerDeleted: userId === null,
})

const shownDelivery = ({ to, state, reason }: Delivery) => ({ to, state, reason })

const severity: DeliveryState['state'][] = ['failed', 'waiting', 'sent']

/** The state of several messages: that of the worst one. */
function worstOf(deliveries: Delivery[]): DeliveryState | null {
  const [worst] = deliveries.toSorted((a, b) => severity.indexOf(a.state) - severity.indexOf(b.state))
  return worst ? { state: worst.state, reason: worst.reason } : null
}

/** The draft of a row with the address of its webhook, for its user. */
async function opened(config: Platform['config'], row: ScheduleRow) {
  const draft = draftOf(row)
  if (draft.jobGroup !== 'ALERT' || !draft.delivery) return { draft, isWebhookLost: false }
  const { webhook, isWebhookLost } = await readWebhook(config, row.userId ?? 0, row.webhook)
  return { draft: { ...draft, delivery: { ...draft.delivery, webhook } }, isWebhookLost }
}

/** Schedules with their last run, and the last run that sent messages. */
const rowsOf = (db: Db, { jobGroup }: Query, owners: (number | null)[]) =>
  db
    .selectFrom('schedules')
    .leftJoinLateral(lastRun, (join) => join.onTrue())
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('scheduleRuns')
          .select(['dueAt as sentAt', 'reason as sentReason'])
          .whereRef('scheduleId', '=', 'schedules.id')
          .where('outcome', '=', 'notified')
          .orderBy('dueAt', 'desc')
          .limit(1)
          .as('sent'),
      (join) => join.onTrue(),
    )
    .leftJoin('jobs', 'jobs.id', 'last.jobId')
    .selectAll('schedules')
    .select([
      'last.dueAt as lastDueAt',
      'last.outcome',
      'last.jobId',
      'last.reason',
      'jobs.status as jobStatus',
      'jobs.startedAt as jobStartedAt',
    ])
    .select(['sentAt', 'sentReason'])
    .select((of) =>
      of
        .selectFrom('alertIncidents')
        .select(({ fn }) => fn.min('startedAt').as('since'))
        .whereRef('scheduleId', '=', 'schedules.id')
        .where('endedAt', 'is', null)
        .as('firingSince'),
    )
    .where('jobGroup', '=', jobGroup)
    .where(({ eb, or }) => or(owners.map((owner) => eb('schedules.userId', 'is not distinct from', owner))))
    .orderBy('schedules.id')
    .execute()

const lastRun = (of: ExpressionBuilder<Tables, 'schedules'>) =>
  of
    .selectFrom('scheduleRuns')
    .select(['dueAt', 'outcome', 'jobId', 'reason'])
    .whereRef('scheduleId', '=', 'schedules.id')
    .orderBy('dueAt', 'desc')
    .limit(1)
    .as('last')

/** The user whose alerts are requested; null for scans and alerts without an owner. */
function ownersOf({ jobGroup, userId }: Query, by: Reader): (number | null)[] {
  if (jobGroup === 'SCANNER') {
    checkMayScan(by)
    return [null]
  }
  const owner = userId ?? by.id
  const isAdministrator = may(by.roles, 'settings.edit')
  if (owner !== by.id && !isAdministrator)
    throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
  return owner === by.id && isAdministrator ? [owner, null] : [owner]
}

/** The next five times of a valid expression. */
export const previewTimes = (cron: string, now: Date) => ({
  times: nextTimes(cron, now, 5).map((time) => time.toISOString()),
  timeZone: timeZone(),
})
