import { expect, test } from 'vitest'
import { changeWords, directionOf } from './change.ts'
import { compactCount, countText, counted, percentText } from './count.ts'
import { durationText } from './duration.ts'
import { agoText, momentText } from './moment.ts'
import { priceText } from './money.ts'
import { nameIn, parentOf, typedPath } from './path.ts'
import { periodText, shortPeriodText } from './period.ts'
import { exactSize, sizeText, sizeWords, tickSize } from './size.ts'

const size = (bytes: number, base: '2' | '10' = '2') => Object.values(sizeText(bytes, base)).join(' ').trim()

test('sizes have three significant digits and the unit of the setting', () => {
  expect([0, 1, 999, 1023].map((bytes) => size(bytes))).toEqual(['0 B', '1 B', '999 B', '1,023 B'])
  expect([1024, 1536 * 1024, 11.7e9, 3.05e11, 2 ** 50].map((bytes) => size(bytes))).toEqual([
    '1.00 KiB',
    '1.50 MiB',
    '10.9 GiB',
    '284 GiB',
    '1.00 PiB',
  ])
  expect([1000, 1.46e6, 999_999, 8.2e18].map((bytes) => size(bytes, '10'))).toEqual([
    '1.00 kB',
    '1.46 MB',
    '1.00 MB',
    '8.20 EB',
  ])
})

test('rounding never shows a value that belongs to the next unit', () => {
  expect(size(1024 * 1024 - 1)).toBe('1.00 MiB')
  expect(size(999.6 * 1000, '10')).toBe('1.00 MB')
  expect(size(9.996 * 1024)).toBe('10.0 KiB')
  expect([1_017, 1_017 * 1024 ** 3].map((bytes) => size(bytes))).toEqual(['1,017 B', '1,017 GiB'])
})

test('an unknown size is a dash that says so', () => {
  expect(size(-1)).toBe('-')
  expect([-1, 1, 1284003].map(exactSize)).toEqual(['Unknown size', '1 byte', '1,284,003 bytes'])
})

test('counts are grouped, and compact on cards from ten million', () => {
  expect(countText(1284003)).toBe('1,284,003')
  expect(compactCount(9_999_999)).toEqual({ value: '9,999,999', unit: '' })
  expect(compactCount(418_290_000)).toEqual({ value: '418.2', unit: 'M' })
  expect([counted(1, 'path'), counted(3, 'path')]).toEqual(['1 path', '3 paths'])
})

test('percentages are rounded down, and a little never reads as nothing', () => {
  expect([0, 24 / 148_024, 0.001, 0.9999].map(percentText)).toEqual(['0.0 %', '< 0.1 %', '0.1 %', '99.9 %'])
  expect([0.8996, 0.9, 0.29, 1].map(percentText)).toEqual(['89.9 %', '90.0 %', '29.0 %', '100.0 %'])
})

test('durations read in two units at most', () => {
  expect([840, 42_000, 188_000, 3_840_000, 183_600_000].map(durationText)).toEqual([
    '840 ms',
    '42 s',
    '3 min 08 s',
    '1 h 04 min',
    '2 d 03 h',
  ])
})

test('moments are written year first and in 24 hours', () => {
  const at = new Date(2026, 10, 1, 9, 5, 7)
  expect(momentText(at)).toBe('2026-11-01 09:05')
  expect(agoText(at, at.getTime() + 3_600_000)).toBe('1 hour ago')
})

test('sizes are written without a line break, and round ones on an axis without decimals', () => {
  expect([sizeWords(1536, '2'), sizeWords(-1, '2'), tickSize(2 * 1024 ** 3, '2'), tickSize(2.5e6, '10')]).toEqual([
    '1.50 KiB',
    '-',
    '2 GiB',
    '2.5 MB',
  ])
})

test('periods are named by their first day', () => {
  const units = ['YEAR', 'MONTH', 'WEEK', 'DAY'] as const
  expect(units.map((unit) => periodText(unit, '2026-11-01'))).toEqual([
    '2026',
    'November 2026',
    'Week of 2026-11-01',
    '2026-11-01',
  ])
  expect(units.map((unit) => shortPeriodText(unit, '2026-11-01'))).toEqual(['2026', '2026-11', '11-01', '11-01'])
})

test('a price is shown exactly', () => {
  expect([0.3, 12, 0.0012].map((price) => priceText(price, '€'))).toEqual([
    '€0.30 per GiB per year',
    '€12.00 per GiB per year',
    '€0.0012 per GiB per year',
  ])
  expect([4.5, 120].map((price) => priceText(price, '¥'))).toEqual(['¥4.5 per GiB per year', '¥120 per GiB per year'])
})

test('a change of size has a minus sign instead of a hyphen, and none if it is zero', () => {
  expect([1536, -340 * 1024, 0].map((change) => changeWords(change, '2'))).toEqual(['+1.50 KiB', '−340 KiB', '0 B'])
  expect([1, -1, 0].map(directionOf)).toEqual(['grown', 'shrunk', 'same'])
})

test('a path has a folder above it and a name', () => {
  expect(['/a/b.mov', '/a', '/'].map((path) => [parentOf(path), nameIn(path)])).toEqual([
    ['/a', 'b.mov'],
    ['/', 'a'],
    ['/', ''],
  ])
})

test('a path that is typed reads as it is kept', () => {
  const typed = ['/', '/raw/', '/raw/day 1 //', 'raw', '']
  expect(typed.map(typedPath)).toEqual(['/', '/raw', '/raw/day 1 ', undefined, undefined])
})
