import type { RefObject } from 'react'
import { withGaps } from './drawnRows.ts'
import { useDrawnRows } from './useDrawnRows.ts'

/** The drawn rows of a long list, each after the room of those before it that are not drawn. Pixels. */
export const useVirtualRows = (scroller: RefObject<HTMLElement | null>, count: number, active: number, height = 32) =>
  withGaps(useDrawnRows(scroller, count, active, height), count, height)
