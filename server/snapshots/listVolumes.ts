import { Volume, type volumes } from '#events/snapshots.ts'
import type { Answer, Input } from '#events/endpoint.ts'
import { invalid } from '#server/platform/problem.ts'
import type { Db } from '#server/platform/postgres.ts'
import { snapshotAt } from './snapshotAt.ts'
import { volumeTotals } from './volumeTotals.ts'

const sortable = Volume.omit({ storagePrice: true }).keyof().options

/** A page of the volumes of a date, by name unless told otherwise. */
export async function listVolumes(
  db: Db,
  { indexingDate, page, size, sort, direction = 'asc' }: Input<typeof volumes>['query'],
): Promise<Answer<typeof volumes>> {
  const snapshot = await snapshotAt(db, indexingDate)
  const found = snapshot ? await volumeTotals(db, snapshot.indexingDate) : []
  const by = sortable.find((column) => column === (sort ?? 'name'))
  if (!by) return invalid('sort', `must be one of ${sortable.join(', ')}`)
  const sorted = found.sort((a, b) => (direction === 'asc' ? 1 : -1) * inOrder(a[by], b[by]) || a.id - b.id)
  const elements = sorted.slice((page - 1) * size, page * size)
  return {
    elements,
    page,
    total: found.length,
    size,
    sort: by,
    direction,
    indexingDate: snapshot?.indexingDate ?? null,
  }
}

/** What is unknown comes first. */
function inOrder(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'number' ? a - Number(b) : a.toLowerCase().localeCompare(String(b).toLowerCase())
}
