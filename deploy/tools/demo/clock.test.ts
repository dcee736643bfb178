import { afterEach, expect, test } from 'vitest'
import { setClock } from './clock.ts'

const RealDate = Date
afterEach(() => void (globalThis.Date = RealDate))

test('the clock is set back, and continues from there', async () => {
  setClock(1_000_000)
  const before = Date.now()
  expect(before).toBeGreaterThanOrEqual(1_000_000_000)
  expect(before).toBeLessThan(1_000_001_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(Date.now()).toBeGreaterThan(before)
  expect(new Date().getUTCFullYear()).toBe(1970)
  expect(new Date()).toBeInstanceOf(RealDate)
})

test('given dates are not moved', () => {
  setClock(1_000_000)
  expect(new Date('2026-05-01T12:00:00Z').toISOString()).toBe('2026-05-01T12:00:00.000Z')
  expect(new Date(2026, 4, 1).getMonth()).toBe(4)
  expect(Date.UTC(2026, 0)).toBe(RealDate.UTC(2026, 0))
})
