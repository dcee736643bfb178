import { streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import { recordChange } from '#server/platform/log/audit.ts'
import { type Actor, type Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { withDuplicatesLock } from '#server/snapshots/locks.ts'

/**
 * Deletes the snapshot of a day, the newest one, too; throws 404 when there is none. It answers no more from here on, and
 * what no other snapshot shows is removed later, by `removeUnshown`. Under the lock in which commits work out which rows
 * they write: none brings back a row of this day that it read before.
 */
export const deleteSnapshot = (db: Db, indexingDate: string, by: Actor): Promise<void> =>
  db.connection().execute((held) =>
    withDuplicatesLock(held, () =>
      held.transaction().execute(async (trx) => {
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

/** Has what no snapshot shows of these volumes removed, when no question that began before can still run. */
export const markUnshown = (trx: Trx, volumeIds: number[]) =>
  trx
    .insertInto('deletedSnapshots')
    .values(volumeIds.map((volumeId) => ({ volumeId })))
    .onConflict((on) => on.column('volumeId').doUpdateSet({ since: sql`now()` }))
    .execute()
