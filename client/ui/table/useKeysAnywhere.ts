import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useKeyDown } from '#client/ui/useKeyDown.ts'
import { isHandledElsewhere } from '#client/ui/keys.ts'

/** After this time the first row no longer takes the focus, in milliseconds. */
const focusTimeoutMs = 5_000
let wantedUntil = 0

/** Focuses the first row of the next list that loads, such as after a search. */
export function focusFirstRow(): void {
  wantedUntil = performance.now() + focusTimeoutMs
}

/** True if the focus is on nothing, or in the search field. */
const isFree = () => {
  const at = document.activeElement
  return !at || at === document.body || at.matches('input[type="search"]')
}

/** Widgets with their own keys. */
const ownKeys = '[role="grid"], [role="treegrid"], [role="tree"], [role="tablist"], [role="menu"]'

const steps: Record<string, number> = { j: 1, k: -1 }

/** True if a key belongs to another element, or the list is hidden. */
const isElsewhere = (event: KeyboardEvent, list: HTMLElement | null): boolean =>
  isHandledElsewhere(event) ||
  !list?.checkVisibility() ||
  (event.target instanceof Element && event.target.closest(ownKeys) !== null)

type Options<T> = {
  rows: ArrayLike<T>
  scroller: RefObject<HTMLElement | null>
  /** Index of the active row; undefined before any keyboard use. */
  at: number | undefined
  moveTo: (index: number) => void
  onSelect: ((row: T, isRange: boolean) => void) | undefined
}

/** Handles the keys of a list regardless of focus, while the list is visible and no other widget uses them. */
export function useKeysAnywhere<T>({ rows, scroller, at, moveTo, onSelect }: Options<T>): void {
  const begin = useEffectEvent((rows: ArrayLike<T>) => {
    if (rows.length > 0 && performance.now() < wantedUntil && isFree()) moveTo(0)
  })
  useEffect(() => begin(rows), [rows])
  const selectAt = (place: number) => {
    moveTo(place)
    const row = rows[place]
    if (row !== undefined) onSelect?.(row, false)
  }
  useKeyDown((event) => {
    if (event.key !== 'Enter') wantedUntil = 0
    if (rows.length === 0 || isElsewhere(event, scroller.current)) return
    const place = at === undefined ? 0 : at + (steps[event.key] ?? 0)
    if (event.key in steps) moveTo(place)
    else if (event.key === 'x' && onSelect) selectAt(place)
    else return
    event.preventDefault()
  })
}
