import { expect, test } from 'vitest'
import { arcPath } from './arcs.ts'
import { categoryOf } from './chartPart.ts'
import { roundTicks } from './ticks.ts'

test('an axis begins at 0, has five ticks at most, and holds the largest value', () => {
  expect(roundTicks(0, 1)).toEqual([0])
  expect(roundTicks(1, 1)).toEqual([0, 1])
  expect(roundTicks(3, 1)).toEqual([0, 1, 2, 3])
  expect(roundTicks(10, 1)).toEqual([0, 5, 10])
  expect(roundTicks(4_100, 1)).toEqual([0, 2_000, 4_000, 6_000])
  expect(roundTicks(7 * 1024 ** 3, 1024)).toEqual([0, 2, 4, 6, 8].map((value) => value * 1024 ** 3))
  expect(roundTicks(1.2 * 1024, 1024)).toEqual([0, 0.5, 1, 1.5].map((value) => value * 1024))
  for (const base of [1, 1000, 1024])
    for (let max = 1; max < 1e16; max = Math.ceil(max * 1.37)) {
      const ticks = roundTicks(max, base)
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
    }
})

test('the seventh series repeats the colours', () => {
  expect([0, 5, 6].map(categoryOf)).toEqual(['category-1', 'category-6', 'category-1'])
})

test('a slice is an arc from its beginning to its end, and the only one is a whole ring', () => {
  expect(arcPath(0, 0.25, 100, 50)).toBe('M 0 -100 A 100 100 0 0 1 100 0 L 50 0 A 50 50 0 0 0 0 -50 Z')
  expect(arcPath(0, 0.75, 100, 50)).toContain('A 100 100 0 1 1 -100 0')
  expect(arcPath(0, 1, 100, 50).match(/A/g)).toHaveLength(4)
})
