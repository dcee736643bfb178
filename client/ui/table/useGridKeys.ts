import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { useKeysAnywhere } from './useKeysAnywhere.ts'

type Grid<T> = {
  rows: T[]
  rowKey: (row: T) => string | number
  scroller: RefObject<HTMLElement | null>
  /** Row whose details are open. */
  opened?: string | number | undefined
  onOpen: (row: T) => void
  /** Selects a row. `isRange` selects all since the last selected row. */
  onSelect?: ((row: T, isRange: boolean) => void) | undefined
  onSelectNone?: (() => void) | undefined
}

/** Rows per Page Up or Page Down. */
const pageRows = 10

/** A row, and whether a key moved there. */
type At = { key: string | number | undefined; takesFocus: boolean }

/** Makes a table a single tab stop. Handles keys and clicks, and tracks the active row. */
export function useGridKeys<T>({ rows, rowKey, scroller, opened, onOpen, onSelect, onSelectNone }: Grid<T>) {
  const [at, go] = useState<At>({ key: undefined, takesFocus: false })
  const [lastOpened, noteOpened] = useState(opened)
  if (opened !== lastOpened) {
    noteOpened(opened)
    if (opened !== undefined) go({ key: opened, takesFocus: false })
  }
  const active = Math.max(
    0,
    rows.findIndex((row) => rowKey(row) === at.key),
  )
  useRowFocus(scroller, at, active)
  useLayoutEffect(() => {
    if (opened !== undefined) scroller.current?.querySelector('tr[data-opened]')?.scrollIntoView({ block: 'nearest' })
  }, [scroller, opened])

  const moveTo = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]
    if (row !== undefined) go({ key: rowKey(row), takesFocus: true })
  }
  useKeysAnywhere({ rows, scroller, at: at.key === undefined ? undefined : active, moveTo, onSelect })
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowOf(event.target)
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const place = places(active, rows.length)[event.key]
    const isAtRow = event.target === row
    if (place !== undefined) moveTo(place)
    else if (isAtRow && onSelect && selects.includes(event.key)) onSelect(rows[active] as T, event.shiftKey)
    else if (onSelectNone && event.key === 'Escape') onSelectNone()
    else if (event.key === 'ArrowRight') focusBeside(row, event.target, 1)
    else if (event.key === 'ArrowLeft') focusBeside(row, event.target, -1)
    else if (event.key === 'Enter' && isAtRow) onOpen(rows[active] as T)
    else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const row = rows[indexOf(event.target)]
    if (row !== undefined && !isControl(event.target)) onOpen(row)
  }
  const onFocus = (event: FocusEvent) => {
    const row = rows[indexOf(event.target)]
    if (row !== undefined && rowKey(row) !== at.key) go({ key: rowKey(row), takesFocus: false })
  }
  return { active, grid: { role: 'grid', onKeyDown, onClick, onFocus } }
}

/** Gives the focus to a row that a key moved to. New rows keep it there, but don't take it from where the user is by now. */
function useRowFocus(scroller: RefObject<HTMLElement | null>, at: At, active: number): void {
  const focus = (index: number) => scroller.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)?.focus()
  const focusActive = useEffectEvent(() => focus(active))
  useLayoutEffect(() => {
    if (at.takesFocus) focusActive()
  }, [at])
  const keepFocus = useEffectEvent((index: number) => {
    const now = document.activeElement
    const isAtRow = now !== null && scroller.current?.contains(now) === true && rowOf(now) !== null
    if (at.takesFocus && (now === document.body || isAtRow)) focus(index)
  })
  useLayoutEffect(() => keepFocus(active), [active])
}

/** Keys that select the active row. */
const selects = [' ', 'x', 'X']

const places = (active: number, count: number): Record<string, number> => ({
  ArrowDown: active + 1,
  j: active + 1,
  ArrowUp: active - 1,
  k: active - 1,
  PageDown: active + pageRows,
  PageUp: active - pageRows,
  Home: 0,
  End: count - 1,
})

const rowOf = (target: EventTarget) => (target as Element).closest<HTMLElement>('tr[data-index]')
const indexOf = (target: EventTarget) => Number(rowOf(target)?.dataset['index'] ?? -1)
const controls = 'button, a, input'
const isControl = (target: EventTarget) => (target as Element).closest(controls) !== null

/** Focuses the next control of a row; from the first control back to the row. */
function focusBeside(row: HTMLElement, from: EventTarget, step: 1 | -1) {
  const stops = [row, ...row.querySelectorAll<HTMLElement>(controls)]
  stops[Math.max(0, stops.indexOf(from as HTMLElement) + step)]?.focus()
}
