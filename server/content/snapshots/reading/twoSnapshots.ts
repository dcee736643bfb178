import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Snapshot, snapshotOrEmpty } from './snapshotAt.ts'

export type TwoSnapshots = { now: Snapshot; before: Snapshot }

/**
 * The snapshots of a day and an earlier one; the newest one by default. Throws 400 if the previous day is after the
 * other one.
 */
export async function twoSnapshots(
  db: Db,
  scope: Scope,
  previousDate: string,
  indexingDate?: string,
): Promise<TwoSnapshots> {
  if (indexingDate !== undefined && previousDate > indexingDate) return tooLate()
  const before = await snapshotOrEmpty(db, scope, previousDate)
  // Read last: its statements about volumes in both dates also hold for the earlier scan.
  const now = await snapshotOrEmpty(db, scope, indexingDate)
  return before.indexingDate > now.indexingDate ? tooLate() : { now, before }
}

const tooLate = (): never => invalid('previousDate', 'must not be after the indexing date')
