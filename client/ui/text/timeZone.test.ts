import { expect, test } from 'vitest'
import { momentIn, readMomentIn } from './timeZone.ts'

test('a moment has the day of the time zone, which differs between Los Angeles and Tokyo', () => {
  const at = '2026-05-01T16:00:00.000Z'
  expect(momentIn('America/Los_Angeles', at)).toBe('2026-05-01 09:00:00')
  expect(momentIn('Asia/Tokyo', at)).toBe('2026-05-02 01:00:00')
})

test('a typed date and time is the moment at which clocks of the time zone show it', () => {
  const cases = [
    ['America/Los_Angeles', '2026-05-01T09:00:00', '2026-05-01T16:00:00.000Z'],
    ['Asia/Tokyo', '2026-05-02T01:00', '2026-05-01T16:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00', '2025-12-31T18:15:00.000Z'],
  ] as const
  for (const [zone, local, at] of cases) expect(new Date(readMomentIn(zone, local)).toISOString()).toBe(at)
  expect(readMomentIn('UTC', '')).toBe(Number.NaN)
})
