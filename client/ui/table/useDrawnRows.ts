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

/** The height of the titles, in pixels. */
const headHeight = 32
/** Shorter lists are drawn whole. */
const virtualFrom = 100

type Rows = Virtualizer<HTMLElement, Element>

/**
 * Which rows of a long list are drawn, ascending: those in sight, some around them, and the one that the keys are at. A short list is
 * watched too: when it grows long, what is in sight is known, and no row that stays has to go in between.
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
    // As many whether the first is cut or not: else every other frame of a scroll had one row more to make, or to take away.
    rangeExtractor: ({ startIndex, count }: Range): number[] => {
      const endIndex = startIndex + Math.ceil((virtualizer.scrollRect?.height ?? 0) / height)
      return drawnRows({ startIndex, endIndex, count }, virtualizer.scrollDirection, active)
    },
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
  return isVirtual
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: count }, (_, index) => index)
}
