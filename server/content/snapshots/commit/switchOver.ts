import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { sql } from 'kysely'
import type { AccessTimes, NotEnteredFolders } from '#events/storages.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { conflict } from '#server/platform/problem.ts'
import type { Commit, WrittenState } from './commit.ts'
import { endReplacedSession } from '#server/content/snapshots/sessions/sessions.ts'
import { type DuplicateVersions, rememberCounted } from '#server/content/snapshots/duplicates/duplicatesOfScans.ts'
import { isShownOn, newestDate, type SnapshotRow } from './plannedSnapshots.ts'

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
  written: WrittenState
  /** In which the scan differs from the live state, if there is one. */
  missed: { scanId: number; entries: number } | undefined
  planned: SnapshotRow[]
  duplicates: DuplicateVersions
}

/** Makes all prepared data visible at once, together with the caller's own changes in the same transaction. */
export async function switchOver(
  { db, volume }: Commit,
  { outcome, written, missed, planned, duplicates }: Prepared,
  switched: (trx: Trx, outcome: Outcome) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const shown = await lockShown(trx, planned)
    await endScan(trx, outcome)
    await trx
      .updateTable('volumes')
      .set({ committedScan: outcome.scanId, generation: written.generation, layers: written.layers })
      .where('id', '=', volume.id)
      .execute()
    await noteReplaced(trx, volume, written)
    await endReplacedSession(trx, volume.id, missed)
    await trx
      .insertInto('snapshots')
      .values(shown)
      .onConflict((on) => on.columns(['indexingDate', 'volumeId']).doUpdateSet({ scanId: sql`excluded.scan_id` }))
      .execute()
    await rememberCounted(trx, duplicates)
    await switched(trx, outcome)
  })
}

/** Schedules the removal of data that no question reads from now on. */
export async function noteReplaced(
  trx: Trx,
  { id: volumeId, generation: last, layers: lastLayers }: Pick<Commit['volume'], 'id' | 'generation' | 'layers'>,
  { generation, layers }: { generation: number | null; layers: number[] },
): Promise<void> {
  if (last === null || last === generation) return
  if (layers.length > 0 && generation !== null) {
    await trx.insertInto('endedLayers').values({ volumeId, generation }).execute()
    return
  }
  const replaced = [...lastLayers, last]
  await trx.deleteFrom('endedLayers').where('volumeId', '=', volumeId).execute()
  await trx
    .insertInto('replacedGenerations')
    .values(replaced.map((each) => ({ volumeId, generation: each })))
    .execute()
}

/**
 * Locks the volumes until the end of the transaction. Returns the rows without those of volumes that were deleted since they were
 * planned.
 */
export async function lockShown(trx: Trx, planned: SnapshotRow[]): Promise<SnapshotRow[]> {
  const volumes = await trx
    .selectFrom('volumes')
    .select(['id', 'deletedAt'])
    .where('id', 'in', [...new Set(planned.map(({ volumeId }) => volumeId))])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const deletedAt = new Map(volumes.map((volume) => [volume.id, volume.deletedAt]))
  const newest = await newestDate(trx)
  return planned.filter(({ volumeId, indexingDate }) =>
    isShownOn(indexingDate, deletedAt.get(volumeId) ?? null, newest),
  )
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
