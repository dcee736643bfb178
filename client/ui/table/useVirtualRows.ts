import type { RefObject } from 'react'
import { withGaps } from './drawnRows.ts'
import { useDrawnRows } from './useDrawnRows.ts'

/** Rows of a long list to render, each with the gap before it in pixels. */
export const useVirtualRows = (scroller: RefObject<HTMLElement | null>, count: number, active: number, height = 32) =>
  withGaps(useDrawnRows(scroller, count, active, height), count, height)
