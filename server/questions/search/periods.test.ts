import { expect, test } from 'vitest'
import { lastPeriods } from './periods.ts'

test('a chart ends with the period that holds the day', () => {
  expect(lastPeriods('DAY', 3, '2024-03-01', false)).toEqual({
    starts: ['2024-02-28', '2024-02-29', '2024-03-01'],
    end: '2024-03-02',
  })
  expect(lastPeriods('MONTH', 3, '2024-01-31', false)).toEqual({
    starts: ['2023-11-01', '2023-12-01', '2024-01-01'],
    end: '2024-02-01',
  })
  expect(lastPeriods('YEAR', 2, '2024-02-29', false)).toEqual({
    starts: ['2023-01-01', '2024-01-01'],
    end: '2025-01-01',
  })
})

test('weeks begin on Monday', () => {
  expect(lastPeriods('WEEK', 2, '2026-11-21', false)).toEqual({
    starts: ['2026-11-09', '2026-11-16'],
    end: '2026-11-23',
  })
  expect(lastPeriods('WEEK', 1, '2026-11-22', false).starts).toEqual(['2026-11-16'])
  expect(lastPeriods('WEEK', 1, '2026-11-23', false).starts).toEqual(['2026-11-23'])
})

test('the end day of a filter is excluded', () => {
  expect(lastPeriods('MONTH', 1, '2024-03-01', true)).toEqual({ starts: ['2024-02-01'], end: '2024-03-01' })
  expect(lastPeriods('YEAR', 1, '2024-01-01', true)).toEqual({ starts: ['2023-01-01'], end: '2024-01-01' })
  expect(lastPeriods('DAY', 1, '2024-01-01', true).starts).toEqual(['2023-12-31'])
})

test('no period begins before the year 1', () => {
  expect(lastPeriods('MONTH', 3, '0001-02-01', true)).toEqual({
    starts: ['0001-01-01', '0001-02-01', '0001-03-01'],
    end: '0001-04-01',
  })
  expect(lastPeriods('DAY', 1, '0001-01-01', true)).toEqual({ starts: ['0001-01-01'], end: '0001-01-02' })
  expect(lastPeriods('WEEK', 2, '0001-01-03', false).starts).toEqual(['0001-01-01', '0001-01-08'])
  expect(lastPeriods('YEAR', 13, '0013-06-01', false).starts[0]).toBe('0001-01-01')
})

test('years before the hundredth are those years', () => {
  expect(lastPeriods('YEAR', 2, '0050-06-01', false).starts).toEqual(['0049-01-01', '0050-01-01'])
})
