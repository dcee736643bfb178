import { expect, test } from 'vitest'
import { daysBefore, isDay, monthsBefore } from './days.ts'

test('months are calendar months, and a missing day becomes the last day of the month', () => {
  expect(monthsBefore('2026-11-21', 3)).toBe('2026-08-21')
  expect(monthsBefore('2026-05-31', 3)).toBe('2026-02-28')
  expect(monthsBefore('2028-05-31', 3)).toBe('2028-02-29')
  expect(monthsBefore('2026-03-15', 9)).toBe('2025-06-15')
  expect(monthsBefore('2026-01-31', 6)).toBe('2025-07-31')
  expect(monthsBefore('2026-11-21', 120)).toBe('2016-11-21')
})

test('days are counted over the ends of months and years, back and forth', () => {
  expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28')
  expect(daysBefore('2026-01-05', 29)).toBe('2025-12-07')
  expect(daysBefore('2026-12-31', -1)).toBe('2027-01-01')
})

test('a day is one that the calendar has', () => {
  expect(['2026-02-28', '0001-01-01'].map(isDay)).toEqual([true, true])
  for (const none of ['2026-02-30', '2026-2-1', '0000-12-31', '0000-02-30', 'x', '', null])
    expect([none, isDay(none)]).toEqual([none, false])
})
