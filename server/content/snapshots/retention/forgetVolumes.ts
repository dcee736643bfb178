import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { markUnshown } from './deleteSnapshot.ts'
import { noteReplaced } from '#server/content/snapshots/commit/switchOver.ts'
import { withVolumeLockIfFree } from '#server/content/snapshots/locks.ts'

/**
 * Deletes the last known state of volumes that no snapshot shows: their next scan is a first one. Volumes still counted
 * in the groups of duplicates wait for the commit that removes them, because it reads their state.
 */
export async function forgetVolumes(db: Db): Promise<void> {
  const forgotten = await unshownVolumes(db).execute()
  for (const { id } of forgotten)
    await withVolumeLockIfFree(db, id, (held) => held.transaction().execute((trx) => forget(trx, id)))
}

const unshownVolumes = (db: Db | Trx) =>
  db
    .selectFrom('volumes')
    .select(['id', 'generation', 'layers'])
    .where('generation', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('snapshots').select('volumeId').whereRef('volumeId', '=', 'volumes.id'))),
    )
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM counted_duplicates WHERE volumes.id = ANY (counted_duplicates.volumes))`,
    )

async function forget(trx: Trx, id: number): Promise<void> {
  const volume = await unshownVolumes(trx).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!volume?.generation) return
  const none = { generation: null, layers: [] }
  await trx
    .updateTable('volumes')
    .set({ committedScan: null, ...none })
    .where('id', '=', id)
    .execute()
  await noteReplaced(trx, volume, none)
  await markUnshown(trx, [id])
}
