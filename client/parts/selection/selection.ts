import { proxy, ref } from 'valtio'
import { proxyMap } from 'valtio/utils'
import type { EntrySummary } from '#events/entries.ts'

/** Number of entries and their bytes. */
export type SelectionTotals = { count: number; size: number }

/** Selected entries by key, or all results, which are never loaded. */
export type Selection = { all: SelectionTotals | undefined; chosen: Map<string, EntrySummary> }

/** Bytes from which a selection is marked as large: 10 TiB. */
export const largeSelection = 10_995_116_277_760
export const largeSelectionText = 'This selection is 10 TiB or more. Actions on it may take a long time.'

type EntryLocation = Pick<EntrySummary, 'volumeId' | 'path' | 'isDirectory'>

/** Identifies an entry on any date until it is moved. */
export const entryKey = ({ volumeId, path, isDirectory }: EntryLocation): string => `${volumeId}:${isDirectory}:${path}`

export const newSelection = (): Selection => proxy({ all: undefined, chosen: proxyMap<string, EntrySummary>() })

export function toggle(selection: Selection, entry: EntrySummary): void {
  selection.all = undefined
  const key = entryKey(entry)
  if (!selection.chosen.delete(key)) selection.chosen.set(key, ref(entry))
}

/** Adds entries to the selection, such as a range. */
export function add(selection: Selection, entries: readonly EntrySummary[]): void {
  selection.all = undefined
  for (const entry of entries) selection.chosen.set(entryKey(entry), ref(entry))
}

export function selectPage(selection: Selection, entries: readonly EntrySummary[]): void {
  clear(selection)
  add(selection, entries)
}

export function selectAll(selection: Selection, found: SelectionTotals): void {
  selection.chosen.clear()
  selection.all = found
}

export function clear(selection: Selection): void {
  selection.all = undefined
  selection.chosen.clear()
}

/** Replaces selected entries by their current version, for example after a tag was added. */
export function freshen(selection: Selection, entries: readonly EntrySummary[]): void {
  if (selection.chosen.size === 0) return
  for (const entry of entries) {
    const known = selection.chosen.get(entryKey(entry))
    if (known && known !== entry) selection.chosen.set(entryKey(entry), ref(entry))
  }
}

export const isSelected = (selection: Selection, entry: EntryLocation): boolean =>
  selection.all !== undefined || selection.chosen.has(entryKey(entry))

/** State of the selection menu: none, this page (or part of it), or all results. */
export const modeOf = ({ all, chosen }: Selection): 'none' | 'page' | 'all' =>
  all ? 'all' : chosen.size > 0 ? 'page' : 'none'

/** Number of selected entries and their bytes. The contents of a selected folder are already part of its size. */
export function summaryOf({ all, chosen }: Selection): SelectionTotals {
  if (all) return all
  let size = 0
  for (const entry of chosen.values()) if (!isInsideChosen(chosen, entry)) size += Math.max(0, entry.size)
  return { count: chosen.size, size }
}

/** Selected entries that are not inside another selected folder. */
export const outermost = (chosen: ReadonlyMap<string, EntrySummary>): EntrySummary[] =>
  [...chosen.values()].filter((entry) => !isInsideChosen(chosen, entry))

function isInsideChosen(chosen: ReadonlyMap<string, unknown>, { volumeId, path }: EntrySummary): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (chosen.has(entryKey({ volumeId, path: path.slice(0, end), isDirectory: true }))) return true
  return false
}
