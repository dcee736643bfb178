import { expect, test } from 'vitest'
import { drawnRows, withGaps } from './virtualRows.tsx'

const ends = (rows: number[]) => [rows[0], rows.at(-1), rows.length]

test('rows are drawn on both sides of those in sight, and while one scrolls only where one goes to', () => {
  const seen = { startIndex: 100, endIndex: 120, count: 1_000 }
  expect(ends(drawnRows(seen, null, 100))).toEqual([94, 126, 33])
  expect(ends(drawnRows(seen, 'forward', 100))).toEqual([100, 126, 27])
  expect(ends(drawnRows(seen, 'backward', 100))).toEqual([94, 120, 27])
})

test('rows end where the list does', () => {
  expect(ends(drawnRows({ startIndex: 2, endIndex: 20, count: 22 }, null, 2))).toEqual([0, 21, 22])
})

test('the row that the keys are at is drawn wherever it is, as long as it is there', () => {
  const seen = { startIndex: 100, endIndex: 102, count: 1_000 }
  expect(drawnRows(seen, 'forward', 3).slice(0, 2)).toEqual([3, 100])
  expect(drawnRows(seen, 'backward', 900).slice(-2)).toEqual([102, 900])
  expect(drawnRows(seen, 'backward', 1_000).at(-1)).toBe(102)
})

test('each row follows the space of the rows before it that are not drawn', () => {
  expect(withGaps([3, 10, 11], 20, 28)).toEqual({
    rows: [
      { index: 3, gap: 84 },
      { index: 10, gap: 168 },
      { index: 11, gap: 0 },
    ],
    end: 224,
  })
})
