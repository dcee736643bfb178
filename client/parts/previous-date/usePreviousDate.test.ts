import { expect, test } from 'vitest'
import { offeredDates } from './usePreviousDate.ts'

const offered = (...earlier: string[]) => offeredDates(earlier, '2026-03-31').map(({ days }) => days)

test('a date is compared with the date 7 days before, else 8, else 6', () => {
  expect(offered('2026-03-25', '2026-03-24', '2026-03-23')).toEqual([7])
  expect(offered('2026-03-25', '2026-03-23')).toEqual([8])
  expect(offered('2026-03-25', '2026-03-26')).toEqual([6])
  expect(offered('2026-03-30', '2026-03-22')).toEqual([])
})

test('14, 21 and 30 days before are offered where there is a snapshot of that very day', () => {
  expect(offered('2026-03-24', '2026-03-17', '2026-03-10', '2026-03-01')).toEqual([7, 14, 21, 30])
  expect(offered('2026-03-16', '2026-03-10', '2026-02-28')).toEqual([21])
})
