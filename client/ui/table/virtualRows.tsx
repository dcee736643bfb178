import {
  type CSSProperties,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import classes from './LongTable.module.css'

/** Rows of a long list to render, each with the gap before it in pixels. */
export const useVirtualRows = (scroller: RefObject<HTMLElement | null>, count: number, active: number, height = 32) =>
  withGaps(useDrawnRows(scroller, count, active, height), count, height)

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

/** Rows rendered above and below the viewport, as a buffer for fast scrolling. */
const overscan = 6

/** First and last visible row, and the number of rows. */
type VisibleRange = { startIndex: number; endIndex: number; count: number }

/**
 * Indexes of rows to render, ascending: visible rows, a buffer, and the active row. While scrolling, the buffer is only
 * ahead.
 */
export function drawnRows(seen: VisibleRange, direction: 'forward' | 'backward' | null, active: number): number[] {
  const first = Math.max(0, seen.startIndex - (direction === 'forward' ? 0 : overscan))
  const last = Math.min(seen.count - 1, seen.endIndex + (direction === 'backward' ? 0 : overscan))
  const rows = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  if (active < first) rows.unshift(active)
  else if (active > last && active < seen.count) rows.push(active)
  return rows
}

/** A row to render, after a gap for skipped rows. Pixels. */
type DrawnRow = { index: number; gap: number }

/** Rendered rows with the gap before each, ascending; `end` is the gap after the last. */
export function withGaps(indexes: number[], count: number, height: number): { rows: DrawnRow[]; end: number } {
  let next = 0
  const rows = indexes.map((index) => {
    const gap = (index - next) * height
    next = index + 1
    return { index, gap }
  })
  return { rows, end: (count - next) * height }
}

/** Visible part of a scrolling element, in pixels, and where the user scrolls to; null while they don't. */
type View = { top: number; room: number; direction: 'forward' | 'backward' | null }

/** A scroll has ended after this time without another step, in milliseconds. */
const scrollEndMs = 150

/** Keeps a view up to date and calls back after each change, the first time at once. Returns a function that ends it. */
function watchView(element: HTMLElement, view: View, change: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    view.direction = null
    change()
  }
  const scroll = () => {
    const top = element.scrollTop
    if (top === view.top) return
    view.direction = top > view.top ? 'forward' : 'backward'
    view.top = top
    clearTimeout(timer)
    timer = setTimeout(rest, scrollEndMs)
    change()
  }
  const measure = () => {
    if (element.offsetHeight === view.room) return
    view.room = element.offsetHeight
    change()
  }
  view.top = element.scrollTop
  view.room = element.offsetHeight
  const sizes = new ResizeObserver(measure)
  sizes.observe(element)
  element.addEventListener('scroll', scroll, { passive: true })
  change()
  return () => {
    clearTimeout(timer)
    sizes.disconnect()
    element.removeEventListener('scroll', scroll)
  }
}

/** Replaces the rows that are not rendered. Height in pixels. */
export const SpacerRow = ({ height }: { height: number }) => (
  <tr aria-hidden className={classes.gap} style={{ '--height': `${height}px` } as CSSProperties} />
)
