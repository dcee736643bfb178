import { useCallback, useRef } from 'react'
import type { EntrySummary } from '#events/entries.ts'
import { add, entryKey, type Selection, toggle } from './selection.ts'

/** Toggles a row. Shift selects all rows since the last selected one. */
export function useRowSelect<E extends EntrySummary>(rows: readonly E[], selection: Selection) {
  const last = useRef<string>(undefined)
  return useCallback(
    (entry: E, isRange: boolean) => {
      const from = rows.findIndex((row) => entryKey(row) === last.current)
      const to = rows.findIndex((row) => entryKey(row) === entryKey(entry))
      if (isRange && from >= 0 && to >= 0) add(selection, rows.slice(Math.min(from, to), Math.max(from, to) + 1))
      else toggle(selection, entry)
      last.current = entryKey(entry)
    },
    [rows, selection],
  )
}
