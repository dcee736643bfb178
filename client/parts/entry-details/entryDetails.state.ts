import { proxy, ref } from 'valtio'
import type { EntrySummary } from '#events/entries.ts'
import type { Fate } from './gone.ts'

/** Whose details are open, and whether a list of results opened them. */
export const details = proxy<{ entry: (EntrySummary & Fate) | undefined; isFromSearch: boolean }>({
  entry: undefined,
  isFromSearch: false,
})

export function openEntryDetails(entry: EntrySummary & Fate, from?: 'search'): void {
  details.entry = ref(entry)
  details.isFromSearch = from === 'search'
}

export function closeEntryDetails(): void {
  details.entry = undefined
}
