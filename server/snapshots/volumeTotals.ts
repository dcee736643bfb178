import type { Volume } from '#events/snapshots.ts'
import type { Db } from '#server/platform/postgres.ts'
import { storagePriceOn } from '#server/price-books/index.ts'

/** The volumes of a date that has a snapshot, each with the totals and the capacity of the scan that it shows, and its price then. */
export const volumeTotals = (db: Db, indexingDate: string): Promise<Volume[]> =>
  db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'volumes.path', 'scans.indexingDate'])
    .select(['capacityTotal as total', 'capacityUsed as used', 'capacityFree as free'])
    .select(['bytes as sizeOfFiles', 'files as numberOfFiles', 'folders as numberOfFolders'])
    .select(storagePriceOn('volumes.id', 'snapshots.indexingDate').as('storagePrice'))
    .where('snapshots.indexingDate', '=', indexingDate)
    .orderBy('volumes.id')
    .execute()
