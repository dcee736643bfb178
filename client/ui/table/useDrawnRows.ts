import { type RefObject, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { drawnRows } from './drawnRows.ts'
import { type View, watchView } from './watchView.ts'

/** Height of the header, in pixels. */
const headHeight = 32
/** Shorter lists are rendered completely. */
const virtualFrom = 100

/**
 * Indexes of rows to render, ascending: visible rows, a buffer, and the active row. Short lists are observed too, so
 * that no row is unmounted when a list grows long. All rows have the same height, in pixels.
 */
export function useDrawnRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  active: number,
  height: number,
): number[] {
  const isVirtual = count >= virtualFrom
  const firstAt = (top: number) => Math.min(count - 1, Math.max(0, Math.floor((top - headHeight) / height)))
  const { top, room, direction } = useView(scroller, firstAt, isVirtual)
  if (!isVirtual) return Array.from({ length: count }, (_, index) => index)
  const startIndex = firstAt(top)
  // The same number of rows whether or not the first one is cut off. Otherwise every other frame of a scroll would add
  // or remove a row.
  return drawnRows({ startIndex, endIndex: startIndex + Math.ceil(room / height), count }, direction, active)
}

/** Visible part of a scroller. If `isVirtual`, renders again when another row is the first, and when scrolling ends. */
function useView(
  scroller: RefObject<HTMLElement | null>,
  firstAt: (top: number) => number,
  isVirtual: boolean,
): Readonly<View> {
  const [, redraw] = useReducer((drawings: number) => drawings + 1, 0)
  const [view] = useState((): View => ({ top: 0, room: 0, direction: null }))
  const drawn = useRef<{ first: number; isScrolling: boolean }>(undefined)
  const watched = useRef<{ element: HTMLElement | null; end: () => void }>(undefined)
  const change = useEffectEvent(() => {
    const now = { first: firstAt(view.top), isScrolling: view.direction !== null }
    const { first, isScrolling } = drawn.current ?? {}
    if (!isVirtual || (now.isScrolling && isScrolling && first === now.first)) return
    drawn.current = now
    // Renders rows in the same frame in which they scroll into view.
    if (now.isScrolling) flushSync(redraw)
    else redraw()
  })
  useLayoutEffect(() => {
    const element = scroller.current
    if (watched.current?.element === element) return
    watched.current?.end()
    watched.current = { element, end: element ? watchView(element, view, () => change()) : () => {} }
  })
  useLayoutEffect(
    () => () => {
      watched.current?.end()
      watched.current = undefined
    },
    [],
  )
  return view
}
