import { expect, test } from 'vitest'
import { assignElements, noElements, type RowElements } from './rowElements.ts'

const drawn = ({ drawn }: RowElements) => drawn.map(({ element, row }) => `${element}: ${row}`)

test('new rows reuse the elements of removed ones in place, and the others keep theirs', () => {
  const first = assignElements(noElements, [10, 11, 12, 13], 10, false)
  expect(drawn(first)).toEqual(['0: 10', '1: 11', '2: 12', '3: 13'])
  const down = assignElements(first, [10, 13, 14, 15], 10, false)
  expect(drawn(down)).toEqual(['0: 10', '1: 14', '2: 15', '3: 13'])
  const leapt = assignElements(down, [10, 51, 52, 53], 10, false)
  expect(drawn(leapt)).toEqual(['0: 10', '1: 51', '2: 52', '3: 53'])
})

test('elements are made for rows that are more than before, and go where they are fewer', () => {
  const first = assignElements(noElements, [10, 11, 12], 10, false)
  const fewer = assignElements(first, [10, 12], 10, false)
  expect(drawn(fewer)).toEqual(['0: 10', '2: 12'])
  expect(drawn(assignElements(fewer, [10, 11, 12], 10, false))).toEqual(['0: 10', '2: 12', '3: 11'])
})

test('an element that may have the focus draws no other row, also when its row is gone', () => {
  const first = assignElements(noElements, [10, 11, 12], 11, false)
  const moved = assignElements(first, [11, 30, 31, 32], 31, false)
  expect(drawn(moved)).toEqual(['0: 30', '1: 11', '2: 31', '3: 32'])
  const gone = assignElements(first, [20, 21, 22, 23], 20, false)
  expect(drawn(gone)).toEqual(['0: 20', '2: 21', '3: 22', '4: 23'])
})

test('a list that is drawn whole has its elements in the order of its rows', () => {
  const first = assignElements(noElements, [10, 11, 12], 10, true)
  const opened = assignElements(first, [10, 20, 21, 12, 11], 10, true)
  expect(drawn(opened)).toEqual(['0: 10', '3: 20', '4: 21', '2: 12', '1: 11'])
})
