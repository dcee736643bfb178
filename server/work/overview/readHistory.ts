import { sql } from 'kysely'
import { capacityOf } from '#events/capacity.ts'
import { monthsBefore } from '#events/contract/days.ts'
import type { Input } from '#events/contract/endpoint.ts'
import { coldMonths, type FiguresAtDate, type figureHistory, maxHistoryDates } from '#events/overview/history.ts'
import { readStorages } from '#server/scanning/dashboard/index.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { duplicateFiles } from '#server/content/snapshots/index.ts'
import { periodStart } from '#server/content/snapshots/reading/periodStart.ts'
import { type Snapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { filesBefore } from '#server/scanning/storages/index.ts'

/** The figures of a few dates of a period, from the counts of their scans: none if the scope shows a storage only in part. */
export async function readHistory(
  stores: Stores,
  scope: Scope,
  { indexingDate, days, storages }: Input<typeof figureHistory>['query'],
): Promise<FiguresAtDate[]> {
  const dates = spread(await datesOf(stores.db, indexingDate, days), maxHistoryDates)
  const shown = await Promise.all(dates.map((date) => snapshotAt(stores.db, scope, date)))
  const snapshots = shown.filter((snapshot) => snapshot !== undefined)
  const [first, last] = [snapshots[0], snapshots.at(-1)]
  if (!first || !last || first === last) return []
  const ids = idsOf(first).filter((id) => idsOf(last).includes(id) && (storages.length === 0 || storages.includes(id)))
  if (ids.length === 0 || snapshots.some(({ partial }) => ids.some((id) => partial.has(id)))) return []
  const figures: FiguresAtDate[] = []
  // One date after the other, so that searches of other users don't wait.
  for (const snapshot of snapshots) figures.push(await figuresOf(stores, scope, snapshot, ids))
  return figures
}

const idsOf = ({ volumes }: Snapshot): number[] => volumes.map(({ volumeId }) => volumeId)

async function datesOf(db: Db, indexingDate: string | undefined, days: number): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    WITH active AS (SELECT max(indexing_date) AS day FROM snapshots
      WHERE indexing_date <= coalesce(${indexingDate ?? null}::date, 'infinity'))
    SELECT DISTINCT indexing_date AS day FROM snapshots, active
    WHERE indexing_date BETWEEN ${periodStart(sql`active.day`, days)} AND active.day ORDER BY day`.execute(db)
  return rows.map(({ day }) => day)
}

/** At most `max` items at even distances, with the first and the last one. */
function spread<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items]
  const step = (items.length - 1) / (max - 1)
  return Array.from({ length: max }, (_, index) => items[Math.round(index * step)] as T)
}

async function figuresOf(
  { db, clickhouse }: Stores,
  scope: Scope,
  snapshot: Snapshot,
  ids: number[],
): Promise<FiguresAtDate> {
  const { indexingDate } = snapshot
  const [storages, duplicates, ...cold] = await Promise.all([
    readStorages(db, scope, indexingDate),
    duplicateBytes(clickhouse, snapshot, ids),
    ...coldMonths.map((months) => coldBytes(clickhouse, snapshot, ids, monthsBefore(indexingDate, months))),
  ])
  const counted = storages.filter(({ volumeId }) => ids.includes(volumeId))
  const { used, total } = capacityOf(counted)
  const files = counted.reduce((sum, { numberOfFiles }) => sum + Math.max(0, numberOfFiles), 0)
  return { indexingDate, used: total > 0 ? used : null, files, duplicates, cold }
}

/** Files without access since a day, as they were counted by the scans of the date. */
async function coldBytes(clickhouse: ClickHouse, snapshot: Snapshot, ids: number[], day: string) {
  const volumes = await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', day, ids)
  return volumes?.reduce((sum, { size }) => sum + size, 0) ?? null
}

/**
 * Bytes of all files with copies, from the sets that a commit counted. Null if these are unknown, include other storages,
 * or contain the same files twice: counting entries of many past dates would take too long.
 */
async function duplicateBytes(clickhouse: ClickHouse, snapshot: Snapshot, ids: number[]): Promise<number | null> {
  const sets = snapshot.volumes.length === ids.length && snapshot.repeated.length === 0 && duplicateFiles(snapshot)
  return sets ? (await clickhouse.one<{ bytes: number }>(sets)).bytes : null
}
