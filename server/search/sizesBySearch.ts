import { isDeepStrictEqual } from 'node:util'
import type { Totals } from '#events/search/calls.ts'
import { filterKeys, noFilters, type SearchFilters } from '#events/search/filters.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import type { EntrySelection } from '#server/entries/selectEntries.ts'
import { reclaimableOf } from '#server/entries/reclaimable.ts'
import { type CountedTotals, totalsOf } from '#server/entries/totals.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { filesBefore } from '#server/storages/index.ts'
import type { Criteria } from '#events/search/criteria.ts'
import { asReclaimable, asSizes } from './asSizes.ts'
import { canMatch } from './selectByCriteria.ts'

type Search = EntrySelection & { kind: 'files' | 'folders'; filters: SearchFilters }

/**
 * Number of selected files or folders, and their bytes: those of the files in a folder, also if it is in another one. Unknown sizes add
 * zero. Nothing is counted again that was `counted` with a page.
 */
export async function sizesBySearch(
  clickhouse: ClickHouse,
  selection: Search,
  counted?: CountedTotals,
): Promise<Totals> {
  const known = counted || selection.kind === 'folders' ? undefined : await coldTotals(clickhouse, selection)
  if (known) return known
  const { count, bytes, billed, reclaimable } = await totalsOf(clickhouse, selection, counted)
  return { count, ...asSizes(bytes, billed), ...(reclaimable && asReclaimable(reclaimable)) }
}

/**
 * Files not accessed since a day, in all or some storages, were counted when the snapshot was created. If there are
 * later scans, entries may have later access times, so the entries are queried.
 */
async function coldTotals(clickhouse: ClickHouse, { snapshot, filters }: Search) {
  const { lastAccessBefore: day, volumeId, storageId } = filters
  if (day === undefined || !hasOnly(filters, ['lastAccessBefore', 'volumeId', 'storageId'])) return undefined
  const ids = [...volumeId, ...storageId]
  if (snapshot.volumes.some(({ scanId, committedScan }) => scanId < committedScan)) return undefined
  const volumes = await filesBefore(
    clickhouse,
    snapshot,
    'ACCESS_DATE',
    dayOn(day, snapshot.indexingDate),
    ids.length > 0 ? ids : undefined,
  )
  const sum = (of: 'count' | 'size' | 'billed') => volumes?.reduce((total, volume) => total + volume[of], 0) ?? 0
  return volumes && { count: sum('count'), ...asSizes(sum('size'), sum('billed')) }
}

/** Returns whether no other filter excludes anything. */
const hasOnly = (filters: SearchFilters, some: (keyof SearchFilters)[]): boolean =>
  filterKeys.every(
    (key) => some.includes(key) || filters[key] === undefined || isDeepStrictEqual(filters[key], noFilters[key]),
  )

/** Number of entries that match criteria, and their bytes: folders count with their files' bytes, each file once. */
export async function sizesByCriteria(
  clickhouse: ClickHouse,
  selection: EntrySelection,
  criteria: Criteria,
  counted?: CountedTotals,
): Promise<Totals> {
  const isOfFiles = canMatch(criteria, 'isDirectory', false)
  const [{ count, bytes, fileBytes, billed, fileBilled }, reclaimable] = await Promise.all([
    totalsOf(clickhouse, selection, counted),
    isOfFiles && !canMatch(criteria, 'isDupe', false) ? reclaimableOf(clickhouse, selection) : undefined,
  ])
  const sizes = isOfFiles ? asSizes(fileBytes, fileBilled) : asSizes(bytes, billed)
  return { count, ...sizes, ...(reclaimable && asReclaimable(reclaimable)) }
}
