import { type Actor, system } from '#server/platform/log/eventLog.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { daysBefore } from '#server/snapshots/reading/deletedAt.ts'
import { deleteSnapshot } from './deleteSnapshot.ts'

/** For how many days snapshots are kept, and whether the first of each month outlives that. */
export type Retention = { snapshotNumberOfDays: number; snapshotKeepFirstDayOfMonth: boolean }

/**
 * The days whose snapshots are over: they lie so many days back or farther. The newest one never is, nor what is the newest of
 * a volume, nor, if so wished, the first that there is of a month.
 */
export function expiredDates(
  dates: readonly string[],
  retention: Retention,
  day: string,
  newestOfVolumes: readonly string[] = [],
): string[] {
  const inOrder = [...dates].sort()
  const last = daysBefore(day, retention.snapshotNumberOfDays)
  const isFirstOfMonth = (date: string, before: string | undefined) => date.slice(0, 7) !== before?.slice(0, 7)
  return inOrder.filter(
    (date, i) =>
      date <= last &&
      i < inOrder.length - 1 &&
      !newestOfVolumes.includes(date) &&
      !(retention.snapshotKeepFirstDayOfMonth && isFirstOfMonth(date, inOrder[i - 1])),
  )
}

/** Deletes the snapshots that are over, and says which. */
export async function deleteExpired(
  db: Db,
  retention: Retention,
  day = today(),
  by: Actor = system,
): Promise<string[]> {
  const found = await db.selectFrom('snapshots').select('indexingDate').distinct().execute()
  const expired = expiredDates(
    found.map(({ indexingDate }) => indexingDate),
    retention,
    day,
    await newestOfVolumes(db),
  )
  for (const date of expired) await deleteSnapshot(db, date, by).catch(unlessGone)
  return expired
}

/** The newest date of each volume that is still set up. */
async function newestOfVolumes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(({ fn }) => fn.max('indexingDate').as('newest'))
    .where('volumes.deletedAt', 'is', null)
    .groupBy('volumeId')
    .execute()
  return rows.map(({ newest }) => newest)
}

/** Somebody else may have deleted it meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Problem && error.status === 404)) throw error
}
