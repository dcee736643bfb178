import { expect, test } from 'vitest'
import type { Forecast } from '#events/projects/calls.ts'
import { forecastText } from './sizeParts.ts'

const MiB = 1024 ** 2
const forecast = { indexingDate: '2026-11-25', days: 41.2, earliest: 30.9, latest: 70.1, bytesPerDay: 3 * MiB }
const text = (change: Partial<Forecast>) => forecastText({ ...forecast, ...change }, '2')

test('a project says when its allocated size is reached, and how sure that is', () => {
  expect(text({})).toBe(
    'At the pace of the last 90 days, 3.00 MiB per day, it reaches its allocated size in 42 days (30 to 71 days).',
  )
  expect(text({ latest: null })).toBe(
    'At the pace of the last 90 days, 3.00 MiB per day, it reaches its allocated size in 42 days (in 30 days at the earliest).',
  )
})

test('a project without growth never reaches the limit', () => {
  expect(text({ days: null, earliest: null, latest: null, bytesPerDay: -MiB })).toBe(
    "The project isn't growing and won't reach its allocated size within 10 years.",
  )
  expect(text({ days: 40_000 })).toBe(
    "At the pace of the last 90 days, 3.00 MiB per day, it won't reach its allocated size within 10 years.",
  )
})

test('too few dates, and a limit that is already reached, show nothing', () => {
  expect(text({ days: null, earliest: null, latest: null, bytesPerDay: null })).toBeUndefined()
  expect(text({ days: 0 })).toBeUndefined()
})
