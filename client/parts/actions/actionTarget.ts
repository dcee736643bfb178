import type { EntrySummary } from '#events/entries.ts'
import type { SearchSelection, SelectionAtDate } from '#events/selections.ts'
import { type Selection, type SelectionTotals, summaryOf } from '#client/parts/selection/selection.ts'

/** Entries to act on, as sent to the server, and their totals. `entries` are the listed ones; none for a search. */
export type ActionTarget = SelectionAtDate & { entries: readonly EntrySummary[]; totals: SelectionTotals }

export const targetOfEntries = (
  entries: readonly EntrySummary[],
  indexingDate: string | undefined,
  totals: SelectionTotals = {
    count: entries.length,
    size: entries.reduce((sum, { size }) => sum + Math.max(0, size), 0),
  },
): ActionTarget => ({
  selection: { entries: entries.map(({ volumeId, path, isDirectory }) => ({ volumeId, path, isDirectory })) },
  indexingDate,
  entries,
  totals,
})

/** Target of the selected entries, or of all results of a search. */
export function targetOf(
  selected: Selection,
  search: SearchSelection | undefined,
  indexingDate: string | undefined,
): ActionTarget {
  const totals = summaryOf(selected)
  if (selected.all && search) return { selection: search, indexingDate, entries: [], totals }
  return targetOfEntries([...selected.chosen.values()], indexingDate, totals)
}

/** Paths of entries in requests of actions. */
export const fullPaths = (entries: readonly EntrySummary[]): string[] => entries.map(({ fullPath }) => fullPath)
