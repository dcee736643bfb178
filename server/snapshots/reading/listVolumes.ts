import { rowsBefore } from '#server/platform/crud/listPage.ts'
import { Volume, type volumes } from '#events/snapshots.ts'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { checkSort } from '#server/platform/crud/checkSort.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { snapshotAt } from './snapshotAt.ts'
import { volumeTotals } from './volumeTotals.ts'

const sortable = Volume.omit({ storagePrice: true }).keyof().options

/** A page of the volumes of a date, by name by default. */
export async function listVolumes(
  db: Db,
  { indexingDate, page, size, sort = 'name', direction = 'asc' }: Input<typeof volumes>['query'],
): Promise<Answer<typeof volumes>> {
  checkSort(sort, sortable)
  const snapshot = await snapshotAt(db, indexingDate)
  const found = snapshot ? await volumeTotals(db, snapshot.indexingDate) : []
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
  }
}

/** Unknown values are first. */
function inOrder(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'number' ? a - Number(b) : a.toLowerCase().localeCompare(String(b).toLowerCase())
}
