import { useState } from 'react'

/** Row height in pixels. Same value as `--row` in the style sheet. */
export const rowHeight = 28

/** A DOM element and the row that it shows. */
export type RowElement = { element: number; row: number }

/** Elements in DOM order, and the last active row. */
export type RowElements = { drawn: RowElement[]; active: number; made: number }

export const noElements: RowElements = { drawn: [], active: 0, made: 0 }

/**
 * Assigns a DOM element to each rendered row, which keeps it while rendered. Short lists have an element for each row.
 * Long lists reuse the elements of rows that scroll out of view in place, so that scrolling creates, moves and removes
 * nothing; that saves half of a frame per wheel step. The element of the active row is not reused, since it may have
 * the focus.
 */
export function assignElements(last: RowElements, rows: number[], active: number, isWhole: boolean): RowElements {
  const elementOf = new Map(last.drawn.map(({ element, row }) => [row, element]))
  let { made } = last
  if (isWhole) {
    const drawn = rows.map((row) => ({ element: elementOf.get(row) ?? made++, row }))
    return { drawn, active, made }
  }
  const isDrawn = new Set(rows)
  const came = rows.filter((row) => !elementOf.has(row))
  const drawn = last.drawn.flatMap(({ element, row }) => {
    const next = isDrawn.has(row) ? row : row === last.active ? undefined : came.shift()
    return next === undefined ? [] : [{ element, row: next }]
  })
  for (const row of came) drawn.push({ element: made++, row })
  return { drawn, active, made }
}

/** Elements of the rows in DOM order; `rows` are row codes. */
export function useRowElements(rows: number[], active: number, isWhole: boolean): RowElement[] {
  const [give] = useState(newAssigner)
  return give(rows, active, isWhole)
}

/** Idempotent: the same arguments return the same result. */
function newAssigner() {
  let last = noElements
  return (...query: [rows: number[], active: number, isWhole: boolean]) => (last = assignElements(last, ...query)).drawn
}
