import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('a count has its noun in the singular for one alone', () => {
  expect([0, 1, 2, 1_284_003].map((count) => counted(count, 'file'))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '1,284,003 files',
  ])
  expect([1, 2].map((count) => counted(count, 'batch', 'batches'))).toEqual(['1 batch', '2 batches'])
})
