import { useState } from 'react'

/** How high a row of the tree is, in pixels; `--row` of its style sheet. */
export const rowHeight = 28

/** An element of the page, and the row that it draws. */
export type RowElement = { element: number; row: number }

/** The elements as they stand in the page; the last row that the keys were at. */
export type RowElements = { drawn: RowElement[]; active: number; made: number }

export const noElements: RowElements = { drawn: [], active: 0, made: 0 }

/**
 * Gives each drawn row an element, which it keeps while it is drawn. A list that is drawn whole has an element for each row, in
 * their order. In a longer one a row that comes into sight is drawn by the element of one that left it, where that stands in the
 * page: nothing is made, moved or taken away while one scrolls, which is half of a frame by the wheel. The element of the row that
 * the keys are at draws no other row, since it may have the focus.
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

/** The elements that draw rows, each a row's code, as they stand in the page. */
export function useRowElements(rows: number[], active: number, isWhole: boolean): RowElement[] {
  const [give] = useState(newAssigner)
  return give(rows, active, isWhole)
}

/** Asked the same again, it gives the same. */
function newAssigner() {
  let last = noElements
  return (...query: [rows: number[], active: number, isWhole: boolean]) => (last = assignElements(last, ...query)).drawn
}
