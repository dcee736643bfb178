import { expect, test } from 'vitest'
import { pageReach, typedPage } from './pageReach.ts'

test('pages end where the list ends, or at ten thousand results', () => {
  expect(pageReach(0, 50)).toEqual({ pages: 0, last: 0 })
  expect(pageReach(51, 50)).toEqual({ pages: 2, last: 2 })
  expect(pageReach(1_000_000, 50)).toEqual({ pages: 20_000, last: 200 })
  expect(pageReach(1_000_000, 500)).toEqual({ pages: 2_000, last: 20 })
})

test('a typed page is its digits, within the valid pages', () => {
  expect(['7', ' 1a2 ', '0', '999', '', 'x'].map((text) => typedPage(text, 20))).toEqual([
    7,
    12,
    1,
    20,
    undefined,
    undefined,
  ])
})
