import { expect, test } from 'vitest'
import { bytesOfTyped, typedOfBytes } from './SizeRow.tsx'

test('a size is kept in bytes and shown in the largest unit that holds it whole', () => {
  expect(bytesOfTyped({ number: '10', unit: 'MB' })).toBe('10485760')
  expect(typedOfBytes('10485760')).toEqual({ number: '10', unit: 'MB' })
  expect(typedOfBytes('1500')).toEqual({ number: '1500', unit: 'B' })
  expect(typedOfBytes('0')).toEqual({ number: '0', unit: 'B' })
  expect(bytesOfTyped({ number: '0', unit: 'TB' })).toBe('0')
})

test('what is no number stays as it was typed', () => {
  for (const number of ['', '1.5', '-1', '1e3', '10 GB']) expect(bytesOfTyped({ number, unit: 'GB' })).toBe(number)
})
