import { expect, test } from 'vitest'
import { unitLabel } from '#events/search/filters.ts'
import { bytesOfTyped, typedOfBytes } from './typedSize.ts'

test('a size is kept in bytes and shown in the largest unit that holds it whole', () => {
  expect(bytesOfTyped({ number: '10', unit: 'MB' }, '2')).toBe('10485760')
  expect(typedOfBytes('10485760', '2')).toEqual({ number: '10', unit: 'MB' })
  expect(typedOfBytes('1500', '2')).toEqual({ number: '1500', unit: 'B' })
  expect(typedOfBytes('0', '2')).toEqual({ number: '0', unit: 'B' })
  expect(bytesOfTyped({ number: '0', unit: 'TB' }, '2')).toBe('0')
})

test('text that is not a number stays unchanged', () => {
  for (const number of ['', '1.5', '-1', '1e3', '10 GiB'])
    expect(bytesOfTyped({ number, unit: 'GB' }, '2')).toBe(number)
})

test('with decimal units a size is typed as lists show it', () => {
  expect(bytesOfTyped({ number: '1', unit: 'GB' }, '10')).toBe('1000000000')
  expect(typedOfBytes('1000000000', '10')).toEqual({ number: '1', unit: 'GB' })
  expect(typedOfBytes('1073741824', '10')).toEqual({ number: '1073741824', unit: 'B' })
  expect([unitLabel('KB', '2'), unitLabel('KB', '10'), unitLabel('GB', '10')]).toEqual(['KiB', 'kB', 'GB'])
})
