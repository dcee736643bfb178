import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Bundle, Needs } from '#events/contract/needs.ts'
import type { EntrySummary } from '#events/entries.ts'
import type { SearchSelection, SelectionAtDate } from '#events/selections.ts'
import { type Selection, type SelectionTotals, summaryOf } from './selection.ts'

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

export type ActionContentProps = { target: ActionTarget; onClose: () => void }

/** An action on selected entries. */
export type SelectionAction = {
  id: string
  label: string
  icon: Icon
  /** The action is hidden without this permission. */
  needs: Needs
  /** The action is hidden if this bundle is not licensed. */
  bundle?: Bundle
  /** Reason why the action is disabled; undefined if it is enabled. Call `target` only if needed: it lists all entries. */
  disabledReason?: (target: () => ActionTarget, snapshot: { isNewest: boolean }) => string | undefined
} & ActionSurface

/**
 * A popover appears below the button, a dialog draws itself. Their contents receive the target at the time of the click, and load
 * when the button is used.
 */
type ActionSurface =
  | { surface: 'popover'; load: () => Promise<ComponentType<ActionContentProps>> }
  | { surface: 'dialog'; Content: ComponentType<ActionContentProps> }
