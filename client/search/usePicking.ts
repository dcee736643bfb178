import { useCallback, useEffect, useRef, useState } from 'react'
import type { Entry } from '#events/entries.ts'
import { type Selection, add, entryKey, freshen, newSelection, toggle } from '../parts/selection/selection.ts'

/** What is selected of the results of a question; another question begins with nothing. Pages of one add up. */
export function usePicking(rows: readonly Entry[], question: string) {
  const [held, hold] = useState<{ question: string; selection: Selection }>(() => ({
    question,
    selection: newSelection(),
  }))
  if (held.question !== question) hold({ question, selection: newSelection() })
  const { selection } = held
  useEffect(() => freshen(selection, rows), [selection, rows])
  const last = useRef<string>(undefined)
  const pick = useCallback(
    (entry: Entry, isRange: boolean) => {
      const from = rows.findIndex((row) => entryKey(row) === last.current)
      const to = rows.findIndex((row) => entryKey(row) === entryKey(entry))
      if (isRange && from >= 0 && to >= 0) add(selection, rows.slice(Math.min(from, to), Math.max(from, to) + 1))
      else toggle(selection, entry)
      last.current = entryKey(entry)
    },
    [rows, selection],
  )
  return { selection, pick }
}
