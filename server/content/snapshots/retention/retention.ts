import { type Actor, system } from '#server/platform/log/eventLog.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'
import { daysBefore } from '#server/content/snapshots/reading/deletedAt.ts'
import { deleteSnapshot } from './deleteSnapshot.ts'

/** Days that snapshots are kept, and whether the first one of each month is kept longer. */
export type Retention = { snapshotNumberOfDays: number; snapshotKeepFirstDayOfMonth: boolean }

/**
 * The days whose snapshots have expired: at least the given number of days old. Never the newest one, the newest one of
 * a volume, one with an import, or, if configured, the first one of a month.
 */
export function expiredDates(
  dates: readonly string[],
  retention: Retention,
  day: string,
  kept: readonly string[] = [],
): string[] {
  const inOrder = [...dates].sort()
  const last = daysBefore(day, retention.snapshotNumberOfDays)
  const isFirstOfMonth = (date: string, before: string | undefined) => date.slice(0, 7) !== before?.slice(0, 7)
  return inOrder.filter(
    (date, i) =>
      date <= last &&
      i < inOrder.length - 1 &&
      !kept.includes(date) &&
      !(retention.snapshotKeepFirstDayOfMonth && isFirstOfMonth(date, inOrder[i - 1])),
  )
}

/** Deletes expired snapshots, and returns their dates. */
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
    [...(await newestOfVolumes(db)), ...(await importedDates(db))],
  )
  for (const date of expired) await deleteSnapshot(db, date, by).catch(unlessGone)
  return expired
}

/** Dates with imports, which someone chose to bring: they stay until the import is removed. */
async function importedDates(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'scanId')
    .select('scans.indexingDate')
    .where('state', '=', 'imported')
    .distinct()
    .execute()
  return rows.map(({ indexingDate }) => indexingDate)
}

/** The newest date of each configured volume. */
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

/** It may have been deleted meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Problem && error.status === 404)) throw error
}
