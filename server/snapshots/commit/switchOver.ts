import { sql } from 'kysely'
import type { AccessTimes, NotEnteredFolders } from '#events/storages.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { conflict } from '#server/platform/problem.ts'
import type { Commit } from './commit.ts'
import { type DuplicateVersions, rememberCounted } from '#server/snapshots/duplicates/duplicatesOfScans.ts'
import type { SnapshotRow } from './plannedSnapshots.ts'

/** Totals of the whole volume after a commit, in bytes, and its number of unreadable entries. */
export type Outcome = {
  scanId: number
  volumeId: number
  state: 'done' | 'partial'
  files: number
  folders: number
  bytes: number
  countedBytes: number
  allocatedBytes: number
  unreadable: number
  /** Bytes by storage class, as JSON; those without a class have the key ''. */
  classBytes: string
  notEntered: NotEnteredFolders
  accessTimes: AccessTimes
}

type Prepared = {
  outcome: Outcome
  /** The generation that queries read. */
  generation: number
  planned: SnapshotRow[]
  duplicates: DuplicateVersions
}

/** Makes all prepared data visible at once, together with the caller's own changes in the same transaction. */
export async function switchOver(
  { db, volume }: Commit,
  { outcome, generation, planned, duplicates }: Prepared,
  switched: (trx: Trx, outcome: Outcome) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const living = await lockLiving(trx, planned)
    await endScan(trx, outcome)
    await trx
      .updateTable('volumes')
      .set({ committedScan: outcome.scanId, generation })
      .where('id', '=', volume.id)
      .execute()
    if (volume.generation !== null && volume.generation !== generation)
      await trx
        .insertInto('replacedGenerations')
        .values({ volumeId: volume.id, generation: volume.generation })
        .execute()
    await trx
      .insertInto('snapshots')
      .values(planned.filter(({ volumeId }) => living.has(volumeId)))
      .onConflict((on) => on.columns(['indexingDate', 'volumeId']).doUpdateSet({ scanId: sql`excluded.scan_id` }))
      .execute()
    await rememberCounted(trx, duplicates)
    await switched(trx, outcome)
  })
}

/** Locks the volumes that were not deleted since the rows were planned, until the end of the transaction. */
async function lockLiving(trx: Trx, planned: SnapshotRow[]): Promise<Set<number>> {
  const volumes = await trx
    .selectFrom('volumes')
    .select('id')
    .where('id', 'in', [...new Set(planned.map(({ volumeId }) => volumeId))])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(volumes.map(({ id }) => id))
}

async function endScan(trx: Trx, { scanId, volumeId: _, notEntered, ...totals }: Outcome): Promise<void> {
  const ended = await trx
    .updateTable('scans')
    .set({ ...totals, notEntered: JSON.stringify(notEntered), finishedAt: new Date() })
    .where('id', '=', scanId)
    .where('state', '=', 'committing')
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw conflict(`Scan ${scanId} ended while its snapshot was made`)
}
