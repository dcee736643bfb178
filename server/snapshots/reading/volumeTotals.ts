import type { Volume } from '#events/snapshots.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { storagePriceOn } from '#server/price-books/index.ts'
import { asShownVolume, diskColumns, shareOfVolume, shownDisk } from './shownVolume.ts'

/** The volumes of a date with a snapshot, each with the totals of its scan, its disk, and its price on that date. */
export async function volumeTotals(db: Db, indexingDate: string): Promise<Volume[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'volumes.path', 'scans.indexingDate'])
    .innerJoin(shownDisk, (join) => join.onTrue())
    .select([...diskColumns, 'scans.fileSystem', shareOfVolume])
    .select(['bytes as sizeOfFiles', 'files as numberOfFiles', 'folders as numberOfFolders'])
    .select(storagePriceOn('volumes.id', 'snapshots.indexingDate').as('storagePrice'))
    .where('snapshots.indexingDate', '=', indexingDate)
    .orderBy('volumes.id')
    .execute()
  return rows.map(asShownVolume)
}
