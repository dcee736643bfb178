import {
  type Range,
  Virtualizer,
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'

/** The height of the titles, and of a row unless it is told, in pixels. */
const rowHeight = 32
/** Shorter lists are drawn whole. */
const virtualFrom = 100
/** How many rows are drawn above and below those in sight, for scrolls that come before their drawing. */
const overscan = 6

/** A row that is drawn, after the room of those that are not. Pixels. */
type DrawnRow = { index: number; gap: number }

/** Which rows of a long list are drawn: those in sight, some around them, and the one that the keys are at. */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  active: number,
  height = rowHeight,
) {
  const [, redraw] = useReducer((drawings: number) => drawings + 1, 0)
  const isVirtual = count >= virtualFrom
  const options = {
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan,
    scrollMargin: rowHeight,
    rangeExtractor: (range: Range) => withActive(range, active),
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    // A row that was scrolled into sight is there in the same frame.
    onChange: (_: unknown, isScrolling: boolean) => (isScrolling ? flushSync(redraw) : redraw()),
  }
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  const indexes = isVirtual
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: count }, (_, index) => index)
  return withGaps(indexes, count, height)
}

function withActive(range: Range, active: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (active >= range.count || indexes.includes(active)) return indexes
  return [...indexes, active].sort((a, b) => a - b)
}

/** Rows by their numbers, ascending, each with the gap before it; `end` is the gap after the last. */
function withGaps(indexes: number[], count: number, height = rowHeight): { rows: DrawnRow[]; end: number } {
  let next = 0
  const rows = indexes.map((index) => {
    const gap = (index - next) * height
    next = index + 1
    return { index, gap }
  })
  return { rows, end: (count - next) * height }
}
