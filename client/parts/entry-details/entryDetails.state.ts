import { proxy, ref } from 'valtio'
import type { Entry } from '#events/entries.ts'

/** Whose details are open, and whether a list of results opened them. */
export const details = proxy<{ entry: Entry | undefined; isFromSearch: boolean }>({
  entry: undefined,
  isFromSearch: false,
})

/** Where the focus was when they were opened: the dialog itself misses it when it is drawn for the first time. */
let opener: Element | null = null

export function openEntryDetails(entry: Entry, from?: 'search'): void {
  if (!details.entry) opener = document.activeElement
  details.entry = ref(entry)
  details.isFromSearch = from === 'search'
}

export function closeEntryDetails(): void {
  details.entry = undefined
  const back = opener
  if (back instanceof HTMLElement) requestAnimationFrame(() => back.focus({ preventScroll: true }))
}
