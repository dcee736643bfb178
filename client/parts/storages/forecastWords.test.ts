import { expect, test } from 'vitest'
import { forecastRange, forecastText, fullFirst, isSoonFull } from './forecastWords.ts'

test('a forecast is in whole days, with its range', () => {
  const forecast = { days: 84.6, earliest: 62.9, latest: 130.2 }
  expect([forecastText(forecast), forecastRange(forecast)]).toEqual(['Full in 84 days', '62 to 131 days'])
  expect(forecastText({ ...forecast, days: 1.4 })).toBe('Full in 1 day')
  expect(forecastText({ ...forecast, days: 0 })).toBe('Full within a day')
})

test('a far forecast names no days', () => {
  const far = { days: 9_000, earliest: 3_000, latest: 40_000 }
  expect([forecastText(far), forecastRange(far)]).toEqual(['Not within 10 years', '3,000 days or more'])
  expect(forecastRange({ ...far, earliest: 4_000 })).toBe('')
})

test('a disk that may be full within 30 days is highlighted', () => {
  expect(isSoonFull({ days: 40, earliest: 29, latest: 60 })).toBe(true)
  expect(isSoonFull({ days: 40, earliest: 31, latest: 60 })).toBe(false)
})

const disk = (name: string, days?: number) => ({
  name,
  ...(days !== undefined && { forecast: { days, earliest: days / 2, latest: days * 2 } }),
})

test('the disk with the nearest forecast is full first', () => {
  expect(fullFirst([disk('Films', 90), disk('Sounds', 12.4), disk('Stills', 30)])?.name).toBe('Sounds')
})

test('no disk is full first if all forecasts are unknown or more than a year ahead', () => {
  expect(fullFirst([disk('Films', 400), disk('Bucket')])).toBeUndefined()
})
