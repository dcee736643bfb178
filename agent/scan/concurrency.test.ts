import { expect, test } from 'vitest'
import { type Concurrency, newConcurrency } from './concurrency.ts'

type Served = { latencyMs: number; atOnce: number; seconds: number; fromMs?: number }

/** A server that answers `atOnce` requests at the same time, each after `latencyMs`; others wait. Runs for `seconds` of its own time. */
function serve(concurrency: Concurrency, { latencyMs, atOnce, seconds, fromMs = 0 }: Served): number[] {
  const limits: number[] = []
  const freeAtMs = Array.from({ length: atOnce }, () => fromMs)
  const waiting: { startMs: number; endMs: number }[] = []
  let nowMs = fromMs
  for (let sent = 0, answered = 0; nowMs < fromMs + seconds * 1_000; answered++) {
    while (sent - answered < concurrency.limit()) {
      const endMs = Math.max(nowMs, freeAtMs[sent % atOnce] as number) + latencyMs
      freeAtMs[sent % atOnce] = endMs
      waiting[sent++] = { startMs: nowMs, endMs }
    }
    const { startMs, endMs } = waiting[answered] as (typeof waiting)[number]
    nowMs = endMs
    concurrency.answered(nowMs - startMs, sent - answered, nowMs)
    limits.push(concurrency.limit())
  }
  return limits
}
const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const largest = (numbers: number[]) => numbers.reduce((most, number) => Math.max(most, number), 0)
const latterHalf = (limits: number[]) => limits.slice(limits.length / 2)

test('it grows to as many requests as a server answers at once, and not far beyond', () => {
  for (const atOnce of [1, 4, 30, 100]) {
    const limits = serve(newConcurrency({ start: 1, max: () => 256 }), { latencyMs: 2, atOnce, seconds: 20 })
    expect(mean(latterHalf(limits))).toBeGreaterThanOrEqual(atOnce * 0.8)
    expect(mean(latterHalf(limits))).toBeLessThanOrEqual(atOnce * 2 + 1)
  }
})

test('a scan starts slowly, and reaches a high limit within seconds', () => {
  const limits = serve(newConcurrency({ start: 2, max: () => 256 }), { latencyMs: 10, atOnce: 1_000, seconds: 3 })
  expect(limits[0]).toBe(2)
  expect(limits.at(-1)).toBe(256)
})

test('it never exceeds its limit, which may change at any time', () => {
  let max = 64
  const concurrency = newConcurrency({ start: 1, max: () => max })
  expect(largest(serve(concurrency, { latencyMs: 1, atOnce: 500, seconds: 5 }))).toBe(64)
  max = 3
  expect(concurrency.limit()).toBe(3)
  expect(largest(serve(concurrency, { latencyMs: 1, atOnce: 500, seconds: 5, fromMs: 5_000 }))).toBe(3)
  max = 32
  expect(serve(concurrency, { latencyMs: 1, atOnce: 500, seconds: 20, fromMs: 10_000 }).at(-1)).toBe(32)
})

test('it backs off when a server that was fast answers fewer at once, and grows again later', () => {
  const concurrency = newConcurrency({ start: 1, max: () => 256 })
  serve(concurrency, { latencyMs: 2, atOnce: 100, seconds: 10 })
  const busy = serve(concurrency, { latencyMs: 2, atOnce: 10, seconds: 30, fromMs: 10_000 })
  expect(mean(latterHalf(busy))).toBeLessThanOrEqual(30)
  const free = serve(concurrency, { latencyMs: 2, atOnce: 100, seconds: 60, fromMs: 40_000 })
  expect(mean(latterHalf(free))).toBeGreaterThanOrEqual(70)
})

test('a server that is overloaded gets half, once for the failures of one moment', () => {
  const concurrency = newConcurrency({ start: 1, max: () => 256 })
  serve(concurrency, { latencyMs: 5, atOnce: 1_000, seconds: 5 })
  expect(concurrency.limit()).toBe(256)
  for (let failure = 0; failure < 50; failure++) concurrency.overloaded(5_000)
  expect(concurrency.limit()).toBe(128)
  concurrency.overloaded(5_100)
  expect(concurrency.limit()).toBe(64)
})

test('failures of one moment count once, also when other requests are answered in between', () => {
  const concurrency = newConcurrency({ start: 64, max: () => 64 })
  for (let answer = 0; answer < 10; answer++) concurrency.answered(100, 60, 1_000)
  for (let ms = 1_000; ms < 1_100; ms++) {
    concurrency.overloaded(ms)
    concurrency.answered(100, 60, ms)
  }
  expect(concurrency.limit()).toBe(32)
})

test('it reports the latency that it measures', () => {
  const concurrency = newConcurrency({ start: 8, max: () => 8 })
  serve(concurrency, { latencyMs: 3, atOnce: 100, seconds: 2 })
  expect(concurrency.latencyMs()).toBeCloseTo(3)
})
