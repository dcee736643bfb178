import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isHandledElsewhere } from '#client/ui/keys.ts'

/** How long the rows of a search may take until the first of them no longer takes the focus, in milliseconds. */
const patienceMs = 5_000
let wantedUntil = 0

/** The first row of the list that comes takes the focus, such as after a search was entered. */
export function focusFirstRow(): void {
  wantedUntil = performance.now() + patienceMs
}

/** Where keys go on from another place: nowhere in particular, or the field of the search. */
const isFree = () => {
  const at = document.activeElement
  return !at || at === document.body || at.matches('input[type="search"]')
}

/** What has keys of its own. */
const ownKeys = '[role="grid"], [role="treegrid"], [role="tree"], [role="tablist"], [role="menu"]'

const steps: Record<string, number> = { j: 1, k: -1 }

/** Whether a key belongs to something else, or the list is not to be seen. */
const isElsewhere = (event: KeyboardEvent, list: HTMLElement | null): boolean =>
  isHandledElsewhere(event) ||
  !list?.checkVisibility() ||
  (event.target instanceof Element && event.target.closest(ownKeys) !== null)

type Options<T> = {
  rows: readonly T[]
  scroller: RefObject<HTMLElement | null>
  /** The row that the keys are at, by its place; undefined before any was used. */
  at: number | undefined
  moveTo: (index: number) => void
  onSelect: ((row: T, isRange: boolean) => void) | undefined
}

/** Lets the keys of a list work wherever the focus is, as long as the list is shown and nothing else has keys there. */
export function useKeysAnywhere<T>({ rows, scroller, at, moveTo, onSelect }: Options<T>): void {
  const begin = useEffectEvent((rows: readonly T[]) => {
    if (rows.length > 0 && performance.now() < wantedUntil && isFree()) moveTo(0)
  })
  useEffect(() => begin(rows), [rows])
  const selectAt = (place: number) => {
    moveTo(place)
    const row = rows[place]
    if (row !== undefined) onSelect?.(row, false)
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter') wantedUntil = 0
    if (rows.length === 0 || isElsewhere(event, scroller.current)) return
    const place = at === undefined ? 0 : at + (steps[event.key] ?? 0)
    if (event.key in steps) moveTo(place)
    else if (event.key === 'x' && onSelect) selectAt(place)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
