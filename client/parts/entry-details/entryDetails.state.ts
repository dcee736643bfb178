import { proxy, ref } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import type { EntryStatus } from './entryStatus.ts'

/** Entry whose details are open. `isFromSearch` is true for entries of a result list. */
export const details = proxy<{ entry: (EntrySummary & EntryStatus) | undefined; isFromSearch: boolean }>({
  entry: undefined,
  isFromSearch: false,
})

export function openEntryDetails(entry: EntrySummary & EntryStatus, from?: 'search'): void {
  details.entry = ref(entry)
  details.isFromSearch = from === 'search'
}

export function closeEntryDetails(): void {
  details.entry = undefined
}
