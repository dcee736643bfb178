import { useSnapshot } from 'valtio'
import { searchEntries, searchEntriesSizes } from '#events/criteria.ts'
import type { Call } from '#events/endpoint.ts'
import { resultWindow } from '#events/entries.ts'
import { searchFiles, searchFolders, searchSizes } from '#events/search.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useRemote } from '../app/remote.ts'
import { ofKind } from './advanced/criteriaOf.ts'
import { listOrder } from './listOrder.state.ts'
import type { SearchAddress } from './searchAddress.ts'
import { useFailureToast } from '../app/useFailureToast.ts'

/** What an address finds of files or folders: the page of them, and what all of them add up to. */
export function useFound(address: SearchAddress) {
  const { filters, criteria, tab } = address
  const { indexingDate } = useActiveDate()
  const kept = useSnapshot(listOrder)
  const list = tab === 'folders' ? 'folders' : 'files'
  const size = address.size ?? kept.size
  const sort = address.sort ?? kept[list]
  const page = Math.min(address.page, Math.ceil(resultWindow / size))
  const paged = { page, size, sort: sort.field, direction: sort.direction }
  const asked = criteria === undefined ? { query: filters } : { query: {}, body: ofKind(criteria, list) }

  const lists = { files: searchFiles, folders: searchFolders }
  // The three calls answer the same; each is given what it asks for.
  const call = (criteria === undefined ? lists[list] : searchEntries) as typeof searchEntries
  const input = { ...asked, query: { ...asked.query, ...paged, indexingDate } } as Call<typeof searchEntries>
  const found = useRemote(call, input, 'snapshots', 'tags')
  const sizes = (criteria === undefined ? searchSizes : searchEntriesSizes) as typeof searchEntriesSizes
  const whole = { ...asked, query: { ...asked.query, indexingDate } } as Call<typeof searchEntriesSizes>
  const totals = useRemote(sizes, whole, 'snapshots', 'tags')
  useFailureToast(found.error)
  useFailureToast(found.error ? undefined : totals.error, 7_000)
  return { list, page, size, sort: { ...sort }, found, totals, indexingDate } as const
}
export type FoundResults = ReturnType<typeof useFound>
