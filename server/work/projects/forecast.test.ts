import { expect, test } from 'vitest'
import { forecastOf } from './forecast.ts'

/** Sizes of consecutive days, oldest first. */
const historyOf = (...sizes: number[]) =>
  sizes
    .map((sizeOfFiles, i) => ({ indexingDate: `2026-01-${String(i + 1).padStart(2, '0')}`, sizeOfFiles }))
    .toReversed()

test('a project that grows evenly reaches its allocated size on one day', () => {
  const certain = { days: 7, earliest: 7, latest: 7, bytesPerDay: 10 }
  expect(forecastOf(historyOf(100, 110, 120, 130), 200)).toEqual(certain)
  expect(forecastOf(historyOf(100, 110, 120, 130), 201)).toMatchObject({ days: 8 })
})

test('one that grows unevenly has a range, worked out by hand', () => {
  // Slope 10; residuals 1, -2, 1, so the standard error is √(6 / 1 / 2) ≈ 1.732, and 12.71 of them ≈ 22.01.
  const found = forecastOf(historyOf(11, 18, 31), 131)
  expect(found).toEqual({ days: 10, earliest: 4, latest: null, bytesPerDay: 10 })
})

test('a shrinking project never reaches the limit, a full one already has, and unknown values are left out', () => {
  expect(forecastOf(historyOf(130, 120, 110), 200)).toEqual({
    days: null,
    earliest: null,
    latest: null,
    bytesPerDay: -10,
  })
  expect(forecastOf(historyOf(5, 5, 5), 10)).toMatchObject({ days: null, bytesPerDay: 0 })
  expect(forecastOf(historyOf(180, 190, 200), 200)).toMatchObject({ days: 0, earliest: 0, latest: 0 })
  expect(forecastOf(historyOf(1, 2), 10)).toMatchObject({ days: null, bytesPerDay: null })
  expect(forecastOf(historyOf(1, 2, 3), 1e9)).toMatchObject({ days: null, bytesPerDay: 1 })
})
