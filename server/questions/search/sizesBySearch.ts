import { isOld } from '#server/content/snapshots/reading/entriesAt.ts'
import { entryFields } from '#events/entries/fields.ts'
import type { Totals } from '#events/search/calls.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import { canMatch, type FoundEntries } from '#server/content/entries/selectEntries.ts'
import { reclaimableOf, type CountedTotals, totalsOf, type Reclaimable } from '#server/content/entries/totals.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { filesBefore } from '#server/scanning/storages/index.ts'

/**
 * Number of selected files or folders, and their bytes: those of the files, each once; of folders, also if one is in another, only
 * if no file can match. Unknown sizes add zero. Nothing is counted again that was `counted` with a page.
 */
export async function sizesBySearch(
  clickhouse: ClickHouse,
  selection: FoundEntries,
  counted?: CountedTotals,
): Promise<Totals> {
  const known = counted ? undefined : await coldTotals(clickhouse, selection)
  if (known) return known
  const { criteria, kind, areCopies } = selection
  const isOfFiles = kind === 'files' || (kind === 'all' && canMatch(criteria, 'isDirectory', false))
  const [{ count, bytes, fileBytes, billed, fileBilled, reclaimable: freed }, more] = await Promise.all([
    totalsOf(clickhouse, selection, counted),
    isOfFiles && !areCopies && !canMatch(criteria, 'dupe', false) ? reclaimableOf(clickhouse, selection) : undefined,
  ])
  const sizes = isOfFiles ? asSizes(fileBytes, fileBilled) : asSizes(bytes, billed)
  const reclaimable = freed ?? more
  return { count, ...sizes, ...(reclaimable && asReclaimable(reclaimable)) }
}

/**
 * Files not accessed since a day, in all or some storages, were counted when the snapshot was created. If there are
 * later scans, entries may have later access times, so the entries are queried; also those of a live state.
 */
async function coldTotals(clickhouse: ClickHouse, { snapshot, volumes, criteria, also, kind }: FoundEntries) {
  const [only, ...others] = criteria.searchQueries
  const isAlone = others.length + criteria.searchQueryNodes.length + also.length === 0
  if (kind !== 'files' || !isAlone || only?.type !== 'date' || only.field !== 'lastAccess' || only.excludes)
    return undefined
  const { after, before } = only.operators
  if (after !== undefined || before === undefined) return undefined
  if (snapshot.volumes.some((volume) => volume.live || isOld(volume))) return undefined
  if (snapshot.partial.size > 0) return undefined
  const day = dayOn(before, snapshot.indexingDate)
  const found = await filesBefore(
    clickhouse,
    { ...snapshot, volumes: [...volumes] },
    entryFields.lastAccess.statistic,
    day,
  )
  const sum = (of: 'count' | 'size' | 'billed') => found?.reduce((total, volume) => total + volume[of], 0) ?? 0
  return found && { count: sum('count'), ...asSizes(sum('size'), sum('billed')) }
}

/** Bytes of a search in the form of the wire: those that costs are for only where they differ. */
export const asSizes = (size: number, billed: number): Pick<Totals, 'size' | 'billedSize'> => ({
  size,
  ...(billed !== size && { billedSize: billed }),
})

/** The same for reclaimable bytes. */
export const asReclaimable = ({
  freed,
  billedFreed,
}: Reclaimable): Pick<Totals, 'reclaimable' | 'billedReclaimable'> => ({
  reclaimable: freed,
  ...(billedFreed !== freed && { billedReclaimable: billedFreed }),
})
