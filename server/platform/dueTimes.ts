import { nextTimes, timesAfter } from './cron.ts'
import type { Trx } from './log/eventLog.ts'
import { standsBack } from './log/standBack.ts'
import type { Platform } from './platform.ts'
import type { Db } from './postgres/postgres.ts'
import { runEvery, type Running } from './runEvery.ts'

/** Tables whose rows have a cron expression and a due time. */
type DueTable = 'schedules' | 'reportTemplates' | 'policies'

/** `nextDueAt` is the first time of the expression after `dueAfter`. Without `dueAfter` nothing is ever due. */
export type DueColumns = { nextDueAt: Date | null; dueAfter: Date | null }

/** Due time of a new or changed expression. */
export function dueColumns(schedule: { cron: string; paused: boolean } | null, after: Date): DueColumns {
  if (!schedule || schedule.paused) return { nextDueAt: null, dueAfter: null }
  return { nextDueAt: nextTimes(schedule.cron, after, 1)[0] ?? null, dueAfter: after }
}

/** The stored due time and those that follow it: exactly the times that will run. */
export function shownTimes(cron: string, nextDueAt: Date | null, count = 3): string[] {
  if (!nextDueAt) return []
  return [nextDueAt, ...nextTimes(cron, nextDueAt, count - 1)].map((time) => time.toISOString())
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Runs up to this late are never counted as missed: a restart or an update takes minutes. */
const graceMs = hourMs

/** Actions for the due times since the last check. */
export type Due = {
  /** The time that runs now. */
  run: Date | undefined
  /** The first of the skipped times. */
  missed: Date | undefined
  /** Time of the next check; null if no times remain. */
  next: Date | null
}

/**
 * Runs only the last of the times between `first`, which is past, and now. If missed runs are not caught up, that
 * applies only within the last hour. The next time is later than now.
 */
export function dueBy(cron: string, first: Date, now: Date, catchesUp: boolean): Due {
  const last = lastTime(cron, first, now)
  const run = catchesUp || now.getTime() - last.getTime() <= graceMs ? last : undefined
  const [next = null] = nextTimes(cron, now, 1)
  return { run, missed: run?.getTime() === first.getTime() ? undefined : first, next }
}

/** Windows before now in which the last time is searched, so that an expression of every minute takes no longer. */
const windowsMs = [hourMs, 24 * hourMs, 31 * 24 * hourMs, 366 * 24 * hourMs]

/** The last time up to now; at least `first`. */
function lastTime(cron: string, first: Date, now: Date): Date {
  for (const windowMs of windowsMs) {
    const from = new Date(Math.max(first.getTime(), now.getTime() - windowMs))
    const last = lastWithin(cron, from, now)
    if (last) return last
    if (from <= first) return first
  }
  return lastWithin(cron, first, now) ?? first
}

function lastWithin(cron: string, after: Date, now: Date): Date | undefined {
  let last: Date | undefined
  for (const time of timesAfter(cron, after)) {
    if (time > now) break
    last = time
  }
  return last
}

/** Milliseconds between checks for due times. */
const intervalMs = 1_000
const quietMs = 5_000

/** Due times stored under a clock that was further ahead are computed again. Clocks of replicas differ by less. */
const toleranceMs = minuteMs

type Work = {
  table: DueTable
  work: (now: Date) => Promise<unknown>
  /** Called in the transaction that aligns due times, to correct records that are later than a moment. */
  correctRecords: (trx: Trx, after: Date, now: Date) => Promise<void>
  failed: string
}

/**
 * Checks for due times each second. Before, it computes all due times again: at start, since the time zone may differ,
 * and when the clock was set back after any of them was stored. Leaves that to servers of a newer version while they run.
 */
export function runWhenDue(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  { table, work, correctRecords, failed }: Work,
  now: () => Date,
): Running {
  let isAligned = false
  const round = async () => {
    if (standsBack()) return
    const at = now()
    const latest = new Date(at.getTime() + toleranceMs)
    const isAhead = await anyStoredAfter(db, table, latest)
    if (isAhead) log.warn({ table, now: at }, 'the clock was ahead, computing due times again')
    if (!isAligned || isAhead)
      await db.transaction().execute(async (trx) => {
        await alignDueTimes(trx, table, at, latest)
        await correctRecords(trx, isAhead ? at : latest, at)
      })
    isAligned = true
    await work(at)
  }
  return runEvery(intervalMs, round, failed, log, quietMs)
}

async function anyStoredAfter(db: Db, table: DueTable, latest: Date): Promise<boolean> {
  const row = db.selectFrom(table).select('id').where('dueAfter', '>', latest).limit(1)
  return (await row.executeTakeFirst()) !== undefined
}

async function alignDueTimes(trx: Trx, table: DueTable, now: Date, latest: Date): Promise<void> {
  const rows = trx.selectFrom(table).select(['id', 'cron', 'nextDueAt', 'dueAfter']).where('dueAfter', 'is not', null)
  for (const { id, cron, nextDueAt, dueAfter } of await rows.orderBy('id').forUpdate().execute()) {
    if (cron === null || dueAfter === null) continue
    const columns = dueColumns({ cron, paused: false }, dueAfter > latest ? now : dueAfter)
    const isSame = columns.nextDueAt?.getTime() === nextDueAt?.getTime() && columns.dueAfter === dueAfter
    if (!isSame) await trx.updateTable(table).set(columns).where('id', '=', id).execute()
  }
}
