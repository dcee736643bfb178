import { expect, test } from 'vitest'
import { dayOn, isSearchDay, relativeOf, relativePattern, searchDayText } from './relativeDays.ts'

test('a relative day is counted from the snapshot, and a fixed one stays', () => {
  expect(dayOn('now-6M', '2026-11-28')).toBe('2026-05-28')
  expect(dayOn('now-7d', '2026-03-03')).toBe('2026-02-24')
  expect(dayOn('now-2w', '2026-11-28')).toBe('2026-11-14')
  expect(dayOn('2025-01-31', '2026-11-28')).toBe('2025-01-31')
})

test('the last day of a longer month becomes the last one of a shorter month, in leap years too', () => {
  expect(dayOn('now-1M', '2026-03-31')).toBe('2026-02-28')
  expect(dayOn('now-1y', '2028-02-29')).toBe('2027-02-28')
})

test('no day is before the first one, or needs a snapshot', () => {
  expect([dayOn('now-9999y', '2026-11-28'), dayOn('now-1d', '')]).toEqual(['0001-01-01', '0001-01-01'])
})

test('only counted days, weeks, months and years are relative', () => {
  expect(['now-1d', 'now-12M', '2026-01-31'].every(isSearchDay)).toBe(true)
  expect(['now', 'now-1m', 'now+1d', 'now-d', 'now-1d/d', 'today', '6 months ago'].some(isSearchDay)).toBe(false)
})

test('users read and write them in words', () => {
  expect([searchDayText('now-6M'), searchDayText('now-1y'), searchDayText('2026-01-31')]).toEqual([
    '6 months ago',
    '1 year ago',
    '2026-01-31',
  ])
  expect(['6 months ago', '1  Year ago', 'now-7d'].map(relativeOf)).toEqual(['now-6M', 'now-1y', 'now-7d'])
  relativePattern.lastIndex = 0
  expect(relativePattern.test('6 months agony')).toBe(false)
})
