import { useState } from 'react'

/** Which element of the page draws which row; the last row that the keys were at. */
export type RowElements = { of: Map<number, number>; active: number; made: number }

export const noElements: RowElements = { of: new Map(), active: 0, made: 0 }

/**
 * Gives each drawn row an element. A row keeps its element while it is drawn. Once a scroll left none of the others in sight, their
 * elements draw what is there now: to change them costs the browser much less than to make new ones. The element of the row that
 * the keys are at draws no other row, since it may have the focus.
 */
export function giveElements(last: RowElements, rows: number[], active: number): RowElements {
  const stays = (row: number) => row !== active && last.of.has(row)
  const isOther = ([row]: [number, number]) => row !== active && row !== last.active
  const free = rows.some(stays) ? [] : [...last.of].filter(isOther).map(([, element]) => element)
  let { made } = last
  const of = new Map(rows.map((row) => [row, last.of.get(row) ?? free.shift() ?? made++]))
  return { of, active, made }
}

/** The numbers of the elements that draw rows, each a row's code. */
export function useRowElements(rows: number[], active: number): Map<number, number> {
  const [give] = useState(newGiver)
  return give(rows, active)
}

/** Asked the same again, it gives the same. */
function newGiver() {
  let last = noElements
  return (rows: number[], active: number) => (last = giveElements(last, rows, active)).of
}
