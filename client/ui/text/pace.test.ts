import { expect, test } from 'vitest'
import { paceText } from './pace.ts'

const textOf = (inFlight: number, latencyMs: number, requests?: number) =>
  paceText({ pace: { inFlight, latencyMs }, ...(requests !== undefined && { requests }) })

test('the pace of a scan is in lookups, or in requests of a service', () => {
  expect(textOf(213, 1.84)).toBe('213 lookups in flight, 1.8 ms each')
  expect(textOf(1, 1.8)).toBe('1 lookup in flight, 1.8 ms each')
  expect(textOf(48, 84.21, 0)).toBe('48 requests in flight, 84.2 ms each')
  expect(textOf(1_024, 2)).toBe('1,024 lookups in flight, 2.0 ms each')
  expect(paceText({})).toBe('')
})

test('a latency has one decimal, none from 100 ms on, and is never 0.0', () => {
  const latencies = [0.001, 0.05, 9.96, 99.94, 99.96, 100.4, 30_000]
  expect(latencies.map((ms) => textOf(2, ms).replace('2 lookups in flight, ', ''))).toEqual([
    '< 0.1 ms each',
    '0.1 ms each',
    '10.0 ms each',
    '99.9 ms each',
    '100 ms each',
    '100 ms each',
    '30,000 ms each',
  ])
  expect(textOf(0, 0)).toBe('0 lookups in flight')
})
