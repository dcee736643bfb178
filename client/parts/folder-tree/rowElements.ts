import { useState } from 'react'

/** Which element of the page draws which row; the last row that the keys were at. */
export type RowElements = { of: Map<number, number>; active: number; made: number }

export const noElements: RowElements = { of: new Map(), active: 0, made: 0 }

/**
 * Gives each drawn row an element. A row keeps its element while it is drawn. Once a leap left less than half of them in sight,
 * their elements draw from top to bottom what is there now: to change them costs the browser less than to make new ones and to
 * take the old ones away. The element of the row that the keys are at draws no other row, since it may have the focus.
 */
export function giveElements(last: RowElements, rows: number[], active: number): RowElements {
  const isOther = (row: number) => row !== active && row !== last.active
  const isLeap = rows.filter((row) => isOther(row) && last.of.has(row)).length < rows.length / 2
  const free = isLeap ? [...last.of].flatMap(([row, element]) => (isOther(row) ? [element] : [])) : []
  const isKept = (row: number) => !isLeap || !isOther(row)
  let { made } = last
  const of = new Map(rows.map((row) => [row, (isKept(row) ? last.of.get(row) : undefined) ?? free.shift() ?? made++]))
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
