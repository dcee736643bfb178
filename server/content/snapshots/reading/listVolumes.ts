import { rowsBefore } from '#server/platform/crud/listPage.ts'
import { compareNames } from '#events/contract/names.ts'
import { Volume, type volumes } from '#events/snapshots.ts'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { checkSort } from '#server/platform/crud/checkSort.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { storagePriceOn } from '#server/content/price-books/index.ts'
import { asOf } from './asOf.ts'
import { asShownVolume, diskColumns, otherSizes, shareOfVolume, shownDisk } from './shownVolume.ts'
import { limitStorages } from './limitStorages.ts'
import { snapshotAt } from './snapshotAt.ts'

const sortable = Volume.omit({
  storagePrice: true,
  sizeOnDisk: true,
  billedSize: true,
  limited: true,
  asOf: true,
}).keyof().options

/** A page of the volumes of a date, by name by default. */
export async function listVolumes(
  stores: Stores,
  scope: Scope,
  { indexingDate, page, size, sort = 'name', direction = 'asc' }: Input<typeof volumes>['query'],
): Promise<Answer<typeof volumes>> {
  checkSort(sort, sortable)
  const snapshot = await snapshotAt(stores.db, 'everything', indexingDate)
  const limit = await limitStorages(stores, scope, indexingDate)
  const found = snapshot ? limit(await volumeTotals(stores.db, scope, snapshot.indexingDate), ({ id }) => id) : []
  const sorted = found.sort((a, b) => (direction === 'asc' ? 1 : -1) * inOrder(a[sort], b[sort]) || a.id - b.id)
  const elements = sorted.slice(rowsBefore({ page, size }), page * size)
  return {
    elements,
    page,
    total: found.length,
    size,
    sort,
    direction,
    indexingDate: snapshot?.indexingDate ?? null,
    ...asOf(found),
  }
}

/** The volumes of a date with a snapshot, each with the totals of its scan, its disk, and its price on that date. */
export async function volumeTotals(db: Db, scope: Scope, indexingDate: string): Promise<Volume[]> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'volumes.path', 'scans.indexingDate'])
    .innerJoin(shownDisk(scope), (join) => join.onTrue())
    .select([...diskColumns, 'scans.fileSystem', ...otherSizes, shareOfVolume])
    .select(['bytes as sizeOfFiles', 'files as numberOfFiles', 'folders as numberOfFolders'])
    .select(storagePriceOn('volumes.id', 'snapshots.indexingDate').as('storagePrice'))
    .where('snapshots.indexingDate', '=', indexingDate)
    .orderBy('volumes.id')
    .execute()
  return rows.map(asShownVolume)
}

/** Unknown values are first. */
function inOrder(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'number' ? a - Number(b) : compareNames(a.toLowerCase(), String(b).toLowerCase())
}
