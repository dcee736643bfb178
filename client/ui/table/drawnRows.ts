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
