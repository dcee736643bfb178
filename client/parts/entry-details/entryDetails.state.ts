import { proxy, ref } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import type { EntryStatus } from './entryStatus.ts'

/** Whose details are open, and whether a list of results opened them. */
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
