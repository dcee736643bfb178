import { expect, test } from 'vitest'
import { regionsOf } from './regions.ts'

test('every provider has its regions, each of them once', () => {
  const counts = Object.fromEntries(Object.entries(regionsOf).map(([type, regions]) => [type, regions.length]))
  expect(counts).toEqual({ S3: 34, BACKBLAZE_B2: 7, WASABI: 14, ORACLE_OBJECT_STORAGE: 40, OTHER: 0 })
  for (const regions of Object.values(regionsOf)) {
    expect(new Set(regions.map(({ code }) => code)).size).toBe(regions.length)
    for (const { code, place } of regions) {
      expect(code).toMatch(/^[a-z]{2}(-[a-z]+)+-\d+$/)
      expect(place).not.toBe('')
    }
  }
})
