import { expect, test } from 'vitest'
import { plausibleTime } from './plausibleTime.ts'

const at = (text: string): number => Date.parse(text) / 1000
const scannedAt = at('2026-11-27T12:00:00Z')

test('a time between 1970 and the scan is plausible, and a day later is too', () => {
  for (const moment of ['1970-01-01T00:00:01Z', '1985-10-26T08:15:00Z', '2026-11-27T12:00:00Z', '2026-11-28T12:00:00Z'])
    expect(plausibleTime(at(moment), scannedAt)).toBe(at(moment))
})

test('a time after the scan, before 1970, or at its very start is unknown', () => {
  const far = [4_294_967_295, 2 ** 34, Number.MAX_SAFE_INTEGER]
  const ntfsZero = at('1601-01-01T00:00:00Z')
  for (const seconds of [at('2026-11-28T12:00:01Z'), at('2099-01-01T00:00:00Z'), 0, -1, ntfsZero, -(2 ** 31), ...far])
    expect(plausibleTime(seconds, scannedAt)).toBe(0)
})
