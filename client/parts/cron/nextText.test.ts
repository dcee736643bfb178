import { expect, test } from 'vitest'
import { nextTexts } from './nextText.ts'

const at = (day: number, hour: number, minute = 0, second = 0) =>
  new Date(2026, 10, day, hour, minute, second).toISOString()

test('a day is named once', () => {
  expect(nextTexts([at(21, 16), at(21, 20), at(22, 0)])).toEqual(['2026-11-21 16:00', '20:00', '2026-11-22 00:00'])
})

test('seconds are shown where a time has any', () => {
  expect(nextTexts([at(21, 16, 0, 55), at(21, 16, 1)])).toEqual(['2026-11-21 16:00:55', '16:01:00'])
  expect(nextTexts([])).toEqual([])
})
