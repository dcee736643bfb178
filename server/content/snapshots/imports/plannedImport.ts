import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { markUnshown } from '#server/content/snapshots/retention/deleteSnapshot.ts'
import type { Commit } from '#server/content/snapshots/commit/commit.ts'
import { datesAfter, type SnapshotRow, volumesLackedBy } from '#server/content/snapshots/commit/plannedSnapshots.ts'

/** An export whose entries are in the staging table of its number. */
export type StagedImport = { id: number; volumeId: number; indexingDate: string }

/**
 * The snapshot rows that an import's switch writes: its own date; later dates that lack the storage or show an older state of it; and the other
 * storages in their last state before, if the date has none of its own. `madeDate`: the date is new.
 */
export async function plannedImport({
  db,
  scan,
  volume,
}: Commit): Promise<{ planned: SnapshotRow[]; madeDate: boolean }> {
  const { indexingDate } = scan
  const own = { indexingDate, volumeId: volume.id, scanId: scan.id }
  const isNewDate = await db
    .selectFrom('snapshots')
    .select('scanId')
    .where('indexingDate', '=', indexingDate)
    .executeTakeFirst()
  const newer = await statesAfter(db, own)
  const later = (await datesAfter(db, indexingDate, volume.id)).filter((date) => !newer.has(date.indexingDate))
  const cloned = await volumesLackedBy(db, indexingDate, volume.id)
  const planned = [own, ...later.map((row) => ({ ...own, ...row })), ...cloned.map((row) => ({ ...row, indexingDate }))]
  return { planned, madeDate: isNewDate === undefined }
}

/** Later dates that show a later state of the storage. */
async function statesAfter(db: Db, { indexingDate, volumeId }: SnapshotRow): Promise<Set<string>> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'scanId')
    .select('snapshots.indexingDate')
    .where('snapshots.volumeId', '=', volumeId)
    .where('scans.indexingDate', '>', indexingDate)
    .execute()
  return new Set(rows.map((row) => row.indexingDate))
}

/** Lets the dates that show an import show the state before it, and removes a date that it made. */
export async function datesLeftTo(trx: Trx, undone: StagedImport & { madeDate: boolean }): Promise<void> {
  const { id, volumeId, indexingDate, madeDate } = undone
  const { rows } = await sql<SnapshotRow>`
    DELETE FROM snapshots WHERE scan_id = ${id} OR (${madeDate} AND indexing_date = ${indexingDate} AND NOT EXISTS (
      SELECT FROM snapshots AS own JOIN scans ON scans.id = own.scan_id
      WHERE own.indexing_date = ${indexingDate} AND scans.indexing_date = ${indexingDate} AND scans.id != ${id}))
    RETURNING volume_id, indexing_date, scan_id`.execute(trx)
  const left = rows.filter((row) => row.scanId === id && (row.indexingDate > indexingDate || !madeDate))
  const before = await trx
    .selectFrom('snapshots')
    .select('scanId')
    .where('volumeId', '=', volumeId)
    .where('indexingDate', '<', indexingDate)
    .orderBy('indexingDate', 'desc')
    .limit(1)
    .executeTakeFirst()
  const again = before ? left.map((row) => ({ ...row, scanId: before.scanId })) : []
  if (again.length > 0) await trx.insertInto('snapshots').values(again).execute()
  if (madeDate) await trx.updateTable('imports').set({ madeDate }).where('indexingDate', '=', indexingDate).execute()
  await markUnshown(trx, [...new Set([volumeId, ...rows.map((row) => row.volumeId)])])
}
