import {
  type Range,
  Virtualizer,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'
import { drawnRows, withGaps } from './drawnRows.ts'

/** The height of the titles, and of a row unless it is told, in pixels. */
const rowHeight = 32
/** Shorter lists are drawn whole. */
const virtualFrom = 100

type Rows = Virtualizer<HTMLElement, Element>

/**
 * Which rows of a long list are drawn: those in sight, some around them, and the one that the keys are at. A short list is
 * watched too: when it grows long, what is in sight is known, and no row that stays has to go in between.
 */
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
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: rowHeight,
    rangeExtractor: (seen: Range): number[] => drawnRows(seen, virtualizer.scrollDirection, active),
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    // A row that was scrolled into sight is there in the same frame.
    onChange: (_: unknown, isScrolling: boolean) => {
      if (isVirtual && isScrolling) flushSync(redraw)
      else if (isVirtual) redraw()
    },
  }
  const [virtualizer] = useState((): Rows => new Virtualizer(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  const indexes = isVirtual
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: count }, (_, index) => index)
  return withGaps(indexes, count, height)
}
