/** How many rows are drawn above and below those in sight, for scrolls that come before their drawing. */
const around = 6

/** The first and the last row in sight, of how many. */
type Seen = { startIndex: number; endIndex: number; count: number }

/**
 * The rows that are drawn, ascending: those in sight, some around them, and the one that the keys are at. While one scrolls there
 * are none where one comes from.
 */
export function drawnRows(seen: Seen, way: 'forward' | 'backward' | null, active: number): number[] {
  const first = Math.max(0, seen.startIndex - (way === 'forward' ? 0 : around))
  const last = Math.min(seen.count - 1, seen.endIndex + (way === 'backward' ? 0 : around))
  const rows = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  if (active < first) rows.unshift(active)
  else if (active > last && active < seen.count) rows.push(active)
  return rows
}

/** A row that is drawn, after the room of those that are not. Pixels. */
type DrawnRow = { index: number; gap: number }

/** Rows by their numbers, ascending, each with the gap before it; `end` is the gap after the last. */
export function withGaps(indexes: number[], count: number, height: number): { rows: DrawnRow[]; end: number } {
  let next = 0
  const rows = indexes.map((index) => {
    const gap = (index - next) * height
    next = index + 1
    return { index, gap }
  })
  return { rows, end: (count - next) * height }
}
