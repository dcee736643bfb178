import { expect, test } from 'vitest'
import { fullFirst } from './fullFirst.ts'

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
