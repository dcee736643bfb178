import { proxy, ref, useSnapshot } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import { entryKey } from '#client/parts/selection/selection.ts'
import type { EntryStatus } from './entryStatus.ts'

type DetailedEntry = EntrySummary & EntryStatus

/** Entry whose details are open, and the rows of its list. `isFromSearch` is true for entries of a result list. */
export const details = proxy<{
  entry: DetailedEntry | undefined
  isFromSearch: boolean
  list: readonly DetailedEntry[]
}>({
  entry: undefined,
  isFromSearch: false,
  list: [],
})

/** Opens the details of an entry. `list` has the rows that previous and next lead to. */
export function openEntryDetails(entry: DetailedEntry, from?: 'search', list: readonly DetailedEntry[] = []): void {
  details.entry = ref(entry)
  details.isFromSearch = from === 'search'
  details.list = ref(list)
}

export function closeEntryDetails(): void {
  details.entry = undefined
}

/** Entry before or after the opened one in its list. */
export function entryBeside(step: 1 | -1): DetailedEntry | undefined {
  const { entry, list } = details
  const at = entry ? list.findIndex((row) => entryKey(row) === entryKey(entry)) : -1
  return at < 0 ? undefined : list[at + step]
}

/** Key of the entry whose details are open, such as for its row. */
export function useOpened(): string | undefined {
  const { entry } = useSnapshot(details)
  return entry && entryKey(entry)
}
