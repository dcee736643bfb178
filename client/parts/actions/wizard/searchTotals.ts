import { searchSizes } from '#events/search/calls.ts'
import { searchEntriesSizes, type WrittenCriteria } from '#events/search/criteria.ts'
import type { SearchFilters } from '#events/search/filters.ts'
import type { SearchSelection } from '#events/selections.ts'
import { call } from '#client/app/call.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import type { ActionTarget } from '#client/parts/selection/action.ts'
import type { SelectionTotals } from '#client/parts/selection/selection.ts'
import { useLoaded } from './useLoaded.ts'

/** Storages whose results an action accepts. `areAll`: there are no others. */
export type AcceptedVolumes = { ids: readonly number[]; areAll: boolean; onlyFiles: boolean }

const nothing = { count: 0, size: 0 }

/**
 * Totals of the accepted results of a search; undefined while they load, and for listed entries. If they can't be loaded, those of the whole
 * search, since the plan counts the accepted files.
 */
export function useAcceptedTotals(target: ActionTarget, accepted: AcceptedVolumes | undefined) {
  const { selection, indexingDate, totals } = target
  const search = 'entries' in selection ? undefined : selection
  const ids = search && accepted ? acceptedIds(search, accepted) : []
  const isPart = ids !== 'all' && ids.length > 0
  const part = useLoaded(search && isPart ? ids.join() : undefined, (signal) =>
    search && isPart ? totalsInVolumes(search, ids, indexingDate, signal) : Promise.resolve(nothing),
  )
  useFailureToast(part.error, { stayMs: 7_000 })
  if (!search || !accepted || part.loading) return undefined
  if (ids === 'all') return totals
  return isPart ? (part.data ?? totals) : nothing
}

function acceptedIds({ isDirectory }: SearchSelection, { ids, areAll, onlyFiles }: AcceptedVolumes) {
  if (onlyFiles && isDirectory) return []
  return areAll ? 'all' : ids
}

/** Maximum number of storages in the filters of one call. */
const maxVolumes = 100

/** Number and bytes of the results of a search in some storages. */
async function totalsInVolumes(
  search: SearchSelection,
  volumeIds: readonly number[],
  indexingDate: string | undefined,
  signal: AbortSignal,
): Promise<SelectionTotals> {
  const query = { indexingDate }
  if ('criteria' in search)
    return call(searchEntriesSizes, { query, body: inVolumes(search.criteria, volumeIds) }, signal)
  const { filters } = search
  const ids = searchedVolumes(filters, volumeIds)
  const isDirectory = search.isDirectory ? 'true' : 'false'
  const sum = { count: 0, size: 0 }
  for (let from = 0; from < ids.length; from += maxVolumes) {
    const volumeId = ids.slice(from, from + maxVolumes)
    const part = await call(
      searchSizes,
      { query: { ...filters, storageId: [], volumeId, ...query, isDirectory } },
      signal,
    )
    sum.count += part.count
    sum.size += part.size
  }
  return sum
}

/** The given storages that the search includes. Filters without storages include all. */
function searchedVolumes({ volumeId, storageId }: SearchFilters, ids: readonly number[]): number[] {
  const searched = new Set([...volumeId, ...storageId])
  return ids.filter((id) => searched.size === 0 || searched.has(id))
}

function inVolumes(criteria: WrittenCriteria, values: readonly number[]): WrittenCriteria {
  const isInside = { volumeId: { values: [...values] } } as WrittenCriteria['searchQueries'][number]
  if (criteria.searchOperator === 'AND') return { ...criteria, searchQueries: [...criteria.searchQueries, isInside] }
  return { searchOperator: 'AND', searchQueries: [isInside], searchQueryNodes: [criteria] }
}
