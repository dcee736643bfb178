import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import { recordChange } from '#server/platform/log/audit.ts'
import { type Actor, type Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { withDuplicatesLock } from '#server/content/snapshots/locks.ts'

/**
 * Deletes the snapshot of a day, which may be the newest; throws 404 if the day has no snapshot. From then on it can't
 * be queried, and `removeUnshown` later removes data that no other snapshot shows. Holds the lock in which commits
 * compute their rows, so no commit restores rows of this day that it read before.
 */
export const deleteSnapshot = (db: Db, indexingDate: string, by: Actor): Promise<void> =>
  db.connection().execute((held) =>
    withDuplicatesLock(held, () =>
      inTransaction(held, async (trx) => {
        const volumes = await trx
          .deleteFrom('snapshots')
          .where('indexingDate', '=', indexingDate)
          .returning(['volumeId', 'scanId'])
          .execute()
        if (volumes.length === 0) notFound('snapshot', indexingDate)
        const unshown = volumes.map(({ volumeId }) => volumeId)
        await markUnshown(trx, unshown)
        await recordChange(trx, streamNames.snapshot(indexingDate), by, { before: { indexingDate, volumes } })
      }),
    ),
  )

/** Schedules the removal of data of these volumes that no snapshot shows, after all earlier queries have ended. */
export const markUnshown = (trx: Trx, volumeIds: number[]) =>
  trx
    .insertInto('deletedSnapshots')
    .values(volumeIds.map((volumeId) => ({ volumeId })))
    .onConflict((on) => on.column('volumeId').doUpdateSet({ since: sql`now()` }))
    .execute()
