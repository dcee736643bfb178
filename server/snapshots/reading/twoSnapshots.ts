import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Snapshot, shownOn } from './snapshotAt.ts'

export type TwoSnapshots = { now: Snapshot; before: Snapshot }

/**
 * The snapshots of a day and of one before it; no day is the newest. Throws 400 when the previous day comes after the
 * other one.
 */
export async function twoSnapshots(db: Db, previousDate: string, indexingDate?: string): Promise<TwoSnapshots> {
  if (indexingDate !== undefined && previousDate > indexingDate) return tooLate()
  const before = await shownOn(db, previousDate)
  // Read last: what it says of volumes that both show is true of the earlier scan, too.
  const now = await shownOn(db, indexingDate)
  return before.indexingDate > now.indexingDate ? tooLate() : { now, before }
}

const tooLate = (): never => invalid('previousDate', 'must not be after the indexing date')
