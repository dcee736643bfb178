import { clearThresholdOf, defaultRepeatHours } from '#events/schedules/alerts.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** Repetition of an alert's emails. `at` is the due time, or the time of the check after a scan. */
export type Repetition = { scheduleId: number; at: Date; repeatHours?: number | undefined }
export type Limits = Repetition & { threshold: number; clearThreshold?: number | undefined }

/** A watched object and its percentage, if it could be evaluated. */
export type Watched = { id: number; percent: number | undefined }

/**
 * Stores which objects have reached the threshold and returns them, and those to report now. An object stays reached until it is
 * below the clearing threshold. After a scan each is reported once; at due times again. Between two emails about the
 * same object is at least the alert's interval. Objects without data stay unchanged. Requires a lock of the schedule.
 */
export async function objectsToReport<W extends Watched>(
  trx: Trx,
  alert: Limits,
  watched: W[],
  { repeats }: { repeats: boolean },
): Promise<{ due: W[]; reached: W[] }> {
  const rows = trx.selectFrom('alertStates').selectAll().where('scheduleId', '=', alert.scheduleId)
  const states = new Map((await rows.execute()).map((state) => [state.watchedId, state]))
  const clearThreshold = clearThresholdOf(alert)
  const due: W[] = []
  const reached: W[] = []
  for (const one of watched) {
    const state = states.get(one.id)
    if (one.percent === undefined) continue
    const wasReached = state?.isReached === true
    if (one.percent < clearThreshold) {
      if (wasReached) await keepState(trx, alert, one.id, { isReached: false, isReported: false })
      continue
    }
    const isOver = one.percent >= alert.threshold
    if (isOver || wasReached) reached.push(one)
    if (!isOver) continue
    if (!wasReached) await keepState(trx, alert, one.id, { isReached: true, isReported: false })
    if (shouldReport(alert, state, repeats)) due.push(one)
  }
  return { due, reached }
}

type State = { isReached: boolean; isReported: boolean; reportedAt: Date | null }

function shouldReport(alert: Limits, state: State | undefined, repeats: boolean): boolean {
  const isReported = state?.isReached === true && state.isReported
  return (repeats || !isReported) && mayRepeat(alert, state?.reportedAt)
}

/** Records that an email about these objects was queued. */
export async function keepReported(trx: Trx, alert: Limits, ids: number[]): Promise<void> {
  for (const id of ids) await keepState(trx, alert, id, { isReached: true, isReported: true, reportedAt: alert.at })
}

const hourMs = 3_600_000

/** True if the last email is long enough ago. A time in the future is from a clock that was ahead. */
export function mayRepeat({ at, repeatHours = defaultRepeatHours }: Repetition, reportedAt?: Date | null): boolean {
  if (!reportedAt || reportedAt > at) return true
  return at.getTime() - reportedAt.getTime() >= repeatHours * hourMs
}

type Change = { isReached: boolean; isReported: boolean; reportedAt?: Date }

async function keepState(trx: Trx, { scheduleId }: Limits, watchedId: number, change: Change): Promise<void> {
  await trx
    .insertInto('alertStates')
    .values({ scheduleId, watchedId, reportedAt: null, ...change })
    .onConflict((on) => on.columns(['scheduleId', 'watchedId']).doUpdateSet(change))
    .execute()
}

/** Deletes the states of an alert, because it was changed. */
export async function forgetStates(trx: Trx, scheduleId: number): Promise<void> {
  await trx.deleteFrom('alertStates').where('scheduleId', '=', scheduleId).execute()
}
