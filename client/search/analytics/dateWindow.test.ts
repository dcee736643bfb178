import { expect, test } from 'vitest'
import { SearchFilters } from '#events/search/filters.ts'
import {
  filtersAt,
  lastPeriod,
  neighbours,
  periodRange,
  rangeFilter,
  rangeOf,
  stepped,
  unitFor,
  unitOf,
} from './dateWindow.ts'

const present = '2026-11-21'
const unbounded = { after: undefined, before: undefined }
const unitOfDays = (days: number) =>
  unitFor({ after: '2024-01-01', before: stepped('DAY', '2024-01-01', days) }, present)

test('the unit follows from the number of requested days', () => {
  expect([0, 1, 13, 14, 91, 92, 400, 401].map(unitOfDays)).toEqual([
    'YEAR',
    'DAY',
    'DAY',
    'WEEK',
    'WEEK',
    'MONTH',
    'MONTH',
    'YEAR',
  ])
})

test('a range without an end goes to the present, and without a beginning back for ever', () => {
  expect(unitFor({ after: '2026-11-10', before: undefined }, present)).toBe('DAY')
  expect(unitFor({ after: '2026-11-08', before: undefined }, present)).toBe('WEEK')
  expect(unitFor({ after: undefined, before: '2026-11-10' }, present)).toBe('YEAR')
  expect(unitFor(unbounded, present)).toBe('YEAR')
  expect(unitFor({ after: '2027-01-01', before: undefined }, present)).toBe('YEAR')
})

test('periods name their unit', () => {
  const next = { DAY: '2024-02-02', WEEK: '2024-02-08', MONTH: '2024-03-01', YEAR: '2025-02-01' }
  expect(Object.values(next).map((second) => unitOf(['2024-02-01', second]))).toEqual(Object.keys(next))
  expect(unitOf([])).toBe('YEAR')
})

test('the window ends with the last period of the range', () => {
  expect(lastPeriod('YEAR', unbounded, present)).toBe('2026-01-01')
  expect(lastPeriod('WEEK', unbounded, present)).toBe('2026-11-16')
  expect(lastPeriod('MONTH', { after: undefined, before: '2024-03-01' }, present)).toBe('2024-02-01')
  expect(lastPeriod('DAY', { after: undefined, before: '2024-03-01' }, present)).toBe('2024-02-29')
})

test('arrows move the window by 13 units, and none leads past the present', () => {
  expect(neighbours('YEAR', '2026-01-01', present)).toEqual({ previous: '2013-01-01', next: undefined })
  expect(neighbours('YEAR', '2013-01-01', present)).toEqual({ previous: '2000-01-01', next: '2026-01-01' })
  expect(neighbours('MONTH', '2024-02-01', present)).toEqual({ previous: '2023-01-01', next: '2025-03-01' })
  expect(neighbours('MONTH', '2026-08-01', present).next).toBe('2026-11-01')
  expect(neighbours('WEEK', '2026-11-16', present)).toEqual({ previous: '2026-08-17', next: undefined })
  expect(neighbours('DAY', '2026-11-08', present)).toEqual({ previous: '2026-10-26', next: present })
})

test('no arrow leads to where no date is, however odd the range', () => {
  expect(neighbours('YEAR', '1982-01-01', present).previous).toBeUndefined()
  expect(neighbours('YEAR', '1983-01-01', present).previous).toBe('1970-01-01')
  expect(neighbours('YEAR', lastPeriod('YEAR', { ...unbounded, before: '9999-12-31' }, present), present)).toEqual({
    previous: '9986-01-01',
    next: undefined,
  })
  expect(neighbours('YEAR', '0001-01-01', present).previous).toBeUndefined()
})

test('a moved window asks for its own dates and keeps all other filters', () => {
  const filters = SearchFilters.parse({ owner: 'ana', creationAfter: '2026-01-01', lastAccessAfter: '2025-01-01' })
  expect(filtersAt(filters, 'creationDate', 'MONTH', '2024-02-01')).toMatchObject({
    owner: 'ana',
    lastAccessAfter: '2025-01-01',
    creationAfter: undefined,
    creationBefore: '2024-03-01',
  })
})

test('a bar narrows the filter to its period, within what is filtered by already', () => {
  expect(periodRange('YEAR', '2024-01-01', unbounded)).toEqual({ after: '2024-01-01', before: '2025-01-01' })
  expect(periodRange('MONTH', '2024-02-01', unbounded)).toEqual({ after: '2024-02-01', before: '2024-03-01' })
  expect(periodRange('WEEK', '2026-11-16', unbounded)).toEqual({ after: '2026-11-16', before: '2026-11-23' })
  expect(periodRange('DAY', '2026-12-31', unbounded)).toEqual({ after: '2026-12-31', before: '2027-01-01' })
  const within = { after: '2024-02-10', before: '2024-04-05' }
  expect(periodRange('MONTH', '2024-02-01', within)).toEqual({ after: '2024-02-10', before: '2024-03-01' })
  expect(periodRange('MONTH', '2024-04-01', within)).toEqual({ after: '2024-04-01', before: '2024-04-05' })
  expect(periodRange('MONTH', '2024-01-01', within)).toBeUndefined()
  expect(rangeFilter('lastAccess', { after: '2024-01-01', before: '2025-01-01' })).toEqual({
    lastAccessAfter: '2024-01-01',
    lastAccessBefore: '2025-01-01',
  })
  expect(
    rangeOf({ filters: SearchFilters.parse({ lastModifiedAfter: '2024-01-01' }) }, 'lastModified', present),
  ).toEqual({
    after: '2024-01-01',
    before: undefined,
  })
})
