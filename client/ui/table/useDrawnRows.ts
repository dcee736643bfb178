import {
  type Range,
  Virtualizer,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'
import { drawnRows } from './drawnRows.ts'

/** Height of the header, in pixels. */
const headHeight = 32
/** Shorter lists are rendered completely. */
const virtualFrom = 100

type Rows = Virtualizer<HTMLElement, Element>

/**
 * Indexes of rows to render, ascending: visible rows, a buffer, and the active row. Short lists are observed too, so
 * that no row is unmounted when a list grows long.
 */
export function useDrawnRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  active: number,
  height: number,
): number[] {
  const [, redraw] = useReducer((drawings: number) => drawings + 1, 0)
  const isVirtual = count >= virtualFrom
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: headHeight,
    // The same number of rows whether or not the first one is cut off. Otherwise every other frame of a scroll would
    // add or remove a row.
    rangeExtractor: ({ startIndex, count }: Range): number[] => {
      const endIndex = startIndex + Math.ceil((virtualizer.scrollRect?.height ?? 0) / height)
      return drawnRows({ startIndex, endIndex, count }, virtualizer.scrollDirection, active)
    },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    // Renders rows in the same frame in which they scroll into view.
    onChange: (_: unknown, isScrolling: boolean) => {
      if (isVirtual && isScrolling) flushSync(redraw)
      else if (isVirtual) redraw()
    },
  }
  const [virtualizer] = useState((): Rows => new Virtualizer(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  return isVirtual
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: count }, (_, index) => index)
}
