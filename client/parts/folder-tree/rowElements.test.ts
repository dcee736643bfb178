import { expect, test } from 'vitest'
import { giveElements, noElements, type RowElements } from './rowElements.ts'

const elementsOf = ({ of }: RowElements) => Object.fromEntries(of)

test('rows keep their elements while others come and go around them', () => {
  const first = giveElements(noElements, [10, 11, 12, 13], 10)
  expect(elementsOf(first)).toEqual({ 10: 0, 11: 1, 12: 2, 13: 3 })
  const down = giveElements(first, [10, 12, 13, 14], 10)
  expect(elementsOf(down)).toEqual({ 10: 0, 12: 2, 13: 3, 14: 4 })
})

test('after a leap the elements draw what is in sight, in their order, and the row that the keys are at has its own', () => {
  const first = giveElements(noElements, [10, 11, 12], 10)
  const leapt = giveElements(first, [10, 12, 51, 52], 10)
  expect(elementsOf(leapt)).toEqual({ 10: 0, 12: 1, 51: 2, 52: 3 })
  const back = giveElements(leapt, [10, 21, 22], 10)
  expect(elementsOf(back)).toEqual({ 10: 0, 21: 1, 22: 2 })
})

test('an element that may have the focus draws no other row, also when its row is gone', () => {
  const first = giveElements(noElements, [10, 11, 12], 11)
  const moved = giveElements(first, [11, 30, 31, 32], 31)
  expect(elementsOf(moved)).toEqual({ 11: 1, 30: 0, 31: 2, 32: 3 })
  const gone = giveElements(first, [20, 21, 22, 23], 20)
  expect(elementsOf(gone)).toEqual({ 20: 0, 21: 2, 22: 3, 23: 4 })
})
