import { expect, test } from 'vitest'
import { cronFieldOf, nextTexts, withCronField } from './cronText.ts'

test('a field of an expression is read by its name, and what is missing is empty', () => {
  expect(cronFieldOf(' 0 15  10 ? * MON-FRI ', 'day of week')).toBe('MON-FRI')
  expect(cronFieldOf('0 15 10 ? * MON 2030', 'year')).toBe('2030')
  expect(cronFieldOf('0 15', 'hours')).toBe('')
})

test('a changed field leaves the others as they are, and an empty one is as usual', () => {
  expect(withCronField('0 0 */4 * * ?', 'minutes', '30')).toBe('0 30 */4 * * ?')
  expect(withCronField('0 0 */4 * * ?', 'hours', ' ')).toBe('0 0 * * * ?')
  expect(withCronField('', 'hours', '3')).toBe('0 0 3 * * ?')
  expect(withCronField('0 0 1 * * ?', 'month', '1, 7')).toBe('0 0 1 * 1,7 ?')
})

test('of the two days only one says when', () => {
  expect(withCronField('0 0 0 1 * ?', 'day of week', 'MON')).toBe('0 0 0 ? * MON')
  expect(withCronField('0 0 0 ? * MON', 'day of month', 'L')).toBe('0 0 0 L * ?')
  expect(withCronField('0 0 0 1 * ?', 'day of month', '?')).toBe('0 0 0 ? * *')
  expect(withCronField('0 0 0 ? * MON', 'day of week', '')).toBe('0 0 0 * * ?')
})

test('the year is shown and hidden', () => {
  expect(withCronField('0 0 0 1 * ?', 'year', '2031')).toBe('0 0 0 1 * ? 2031')
  expect(withCronField('0 0 0 1 * ? 2031', 'year', '')).toBe('0 0 0 1 * ?')
})

const at = (day: number, hour: number, minute = 0, second = 0) =>
  new Date(2026, 10, day, hour, minute, second).toISOString()

test('a day is named once', () => {
  expect(nextTexts([at(21, 16), at(21, 20), at(22, 0)])).toEqual(['2026-11-21 16:00', '20:00', '2026-11-22 00:00'])
})

test('seconds are shown where a time has any', () => {
  expect(nextTexts([at(21, 16, 0, 55), at(21, 16, 1)])).toEqual(['2026-11-21 16:00:55', '16:01:00'])
  expect(nextTexts([])).toEqual([])
})
