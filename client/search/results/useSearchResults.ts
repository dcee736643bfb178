import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { searchEntries } from '#events/search/criteria.ts'
import type { Call } from '#events/contract/endpoint.ts'
import { resultWindow } from '#events/entries.ts'
import { searchFiles, searchFolders } from '#events/search/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { toSearchCriteria } from '#client/parts/query-builder/criteria.ts'
import type { SearchAddress } from '#client/parts/searched/searchAddress.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { listOrder } from './listOrder.state.ts'

/** Fetches a page of files or folders, and with it the totals of files. */
export function useSearchResults(address: SearchAddress) {
  const { filters, criteria, tab } = address
  const { at, indexingDate } = useActiveDate()
  const remembered = useSnapshot(listOrder)
  const list = tab === 'folders' ? 'folders' : 'files'
  const size = address.size ?? remembered.size
  const sort = address.sort ?? remembered[list]
  const page = Math.min(address.page, Math.ceil(resultWindow / size))
  // A sum of folders would count those in other found folders twice.
  const paged = { page, size, sort: sort.field, direction: sort.direction, totals: String(list === 'files') }
  const searched =
    criteria === undefined ? { query: filters } : { query: {}, body: toSearchCriteria(criteria, list === 'folders') }

  const lists = { files: searchFiles, folders: searchFolders }
  // The three endpoints have the same response; each gets its own input.
  const call = (criteria === undefined ? lists[list] : searchEntries) as typeof searchEntries
  const beyond = usePagesBeyond(JSON.stringify([list, searched, paged, at]))
  const paging = beyond.cursor === undefined ? paged : { ...paged, page: 1, cursor: beyond.cursor }
  const input = { ...searched, query: { ...searched.query, ...paging, ...at } } as Call<typeof searchEntries>
  const entries = useRemote(call, input, 'snapshots', 'tags')
  useFailureToast(entries.error)
  return { list, page, size, sort: { ...sort }, entries, beyond, at, indexingDate } as const
}
export type SearchResults = ReturnType<typeof useSearchResults>

/**
 * Pages after the last numbered page, each of which starts at the end of the previous one. `key` identifies the list.
 */
function usePagesBeyond(key: string) {
  const [way, setWay] = useState<{ key: string; cursors: string[] }>({ key, cursors: [] })
  const cursors = way.key === key ? way.cursors : []
  return {
    /** Cursor of the current page; undefined for a numbered page. */
    cursor: cursors.at(-1),
    count: cursors.length,
    goOn: (cursor: string) => setWay({ key, cursors: [...cursors, cursor] }),
    goBack: () => setWay({ key, cursors: cursors.slice(0, -1) }),
  }
}
