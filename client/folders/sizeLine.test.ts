import { expect, test } from 'vitest'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { sizeParts, sizeSentence } from './sizeLine.ts'

const history = [
  ['2026-01-01', 1024],
  ['2026-01-03', 3072],
  ['2026-01-04', 3072],
  ['2026-01-09', 2048],
].map(([indexingDate, size]) => ({ indexingDate, size }) as FolderAtDate)

test('each size is next to its change since the previous snapshot', () => {
  expect(sizeParts(history, '2').map(({ label, cells }) => [label, ...cells])).toEqual([
    ['2026-01-01', '1.00 KiB', '-'],
    ['2026-01-03', '3.00 KiB', '+2.00 KiB'],
    ['2026-01-04', '3.00 KiB', 'No change'],
    ['2026-01-09', '2.00 KiB', '−1.00 KiB'],
  ])
})

test('the line is described in a sentence', () => {
  expect(sizeSentence(history, '2')).toBe('Size Variation: from 1.00 KiB on 2026-01-01 to 2.00 KiB on 2026-01-09.')
  expect(sizeSentence(history.slice(0, 1), '2')).toBe('Size Variation: 1.00 KiB on 2026-01-01.')
})
