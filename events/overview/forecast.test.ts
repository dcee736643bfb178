import { expect, test } from 'vitest'
import { forecastFull } from './forecast.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
const measured = (...used: number[]) => used.map((used, n) => ({ day: day(n), used }))
const disk = { total: 1_000, used: 500, free: 500 }

test('a disk that grows evenly is full when its free space is used up', () => {
  const forecast = forecastFull(measured(460, 470, 480, 490, 500), disk)
  expect(forecast?.days).toBeCloseTo(50)
  expect(forecast?.earliest).toBeCloseTo(50)
  expect(forecast?.latest).toBeCloseTo(50)
})

test('days without a scan count by the calendar', () => {
  const weekly = [0, 7, 14, 21, 28].map((n) => ({ day: day(n), used: 400 + 10 * n }))
  expect(forecastFull(weekly, disk)?.days).toBeCloseTo(50)
})

test('the range is the confidence interval of the slope', () => {
  // Slope 10, residuals 2 −1 −2 −1 2 around it: s² = 14 / 3, s(b) = √(14 / 30), t = 3.182.
  const forecast = forecastFull(measured(462, 469, 478, 489, 502), disk)
  const margin = 3.182 * Math.sqrt(14 / 30)
  expect(forecast?.days).toBeCloseTo(50)
  expect(forecast?.earliest).toBeCloseTo(500 / (10 + margin))
  expect(forecast?.latest).toBeCloseTo(500 / (10 - margin))
})

test('four scans are too few for a trend', () =>
  expect(forecastFull(measured(470, 480, 490, 500), disk)).toBeUndefined())

test('noise, an even disk and a shrinking one are never full', () => {
  expect(forecastFull(measured(500, 520, 480, 510, 505, 500), disk)).toBeUndefined()
  expect(forecastFull(measured(500, 500, 500, 500, 500), disk)).toBeUndefined()
  expect(forecastFull(measured(540, 530, 520, 510, 500), disk)).toBeUndefined()
})

test('space reserved for the system is not free, and an unknown capacity has no forecast', () => {
  const grown = measured(460, 470, 480, 490, 500)
  expect(forecastFull(grown, { total: 1_000, used: 500, free: 450 })?.days).toBeCloseTo(45)
  expect(forecastFull(grown, { total: null, used: 500, free: null })).toBeUndefined()
  expect(forecastFull(grown, { total: 1_000, used: 1_000, free: 0 })?.days).toBe(0)
})
