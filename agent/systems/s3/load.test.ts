import { expect, test } from 'vitest'
import { orderOf } from '../../testing/walked.ts'
import { requestsOf } from '../../testing/requestsOf.ts'
import { walkPages } from '../../scan/pages/walkPages.ts'
import { atOnce, forever } from '../testing.ts'
import { countedObjects, type SimulatorOptions } from './simulator/index.ts'
import { openMedia, simulator } from './testing.ts'

type Options = SimulatorOptions['behaviour'] & {
  /** Requests that run at once, instead of a number that tunes itself. */
  fixed?: number
  keysOfPage?: number
}

/**
 * Scans a bucket, by default in pages of 50 keys; returns the number of files, and the requests in flight and
 * the parts left when each page was recorded.
 */
async function scanned(count: number, { fixed, keysOfPage = 50, ...behaviour }: Options = {}) {
  const query = (asked: URLSearchParams) => asked.set('max-keys', String(keysOfPage))
  const store = await simulator({
    buckets: { media: { objects: countedObjects(count) } },
    behaviour: { query, ...behaviour },
  })
  const system = openMedia(store)
  const inFlight: number[] = []
  const parts: number[] = []
  const requests = requestsOf(system)
  const { counts } = await walkPages(orderOf('', { pending: [''] }), system, {
    listener: {
      batch: async () => {},
      unreadable: () => {},
      progressed({ pace, queued }) {
        inFlight.push(pace?.inFlight ?? 0)
        parts.push(queued)
      },
    },
    nextPage: async () => ({ pending: [], morePending: 0 }),
    requests: fixed === undefined ? requests : { ...requests, page: atOnce.run, limit: () => fixed },
    signal: forever,
  })
  // Of all entries, one is the bucket itself.
  return { store, files: counts.entries - 1, inFlight, parts, pages: count / keysOfPage }
}
const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

test('a bucket in a far region is listed by many requests at once, which are few more than its pages', async () => {
  const { store, files, pages } = await scanned(30_000, { pageMs: 200 })
  expect(files).toBe(30_000)
  // On a busy machine, more requests would not make it faster.
  expect(store.load.max).toBeGreaterThan(8)
  expect(store.load.max).toBeLessThanOrEqual(64)
  expect(store.requests.length).toBeLessThan(pages * 1.25)
})

test('a bucket is divided into ranges for as many requests as may run, and not for more', async () => {
  const { store, files, parts, pages } = await scanned(30_000, { pageMs: 50, fixed: 64, keysOfPage: 20 })
  expect(files).toBe(30_000)
  expect(Math.max(...parts)).toBeGreaterThanOrEqual(56)
  expect(Math.max(...parts)).toBeLessThanOrEqual(80)
  expect(store.requests.length).toBeLessThan(pages * 1.25)
})

test('a small bucket in a far region takes few requests', async () => {
  const { store, files } = await scanned(1_000, { pageMs: 100 })
  expect(files).toBe(1_000)
  expect(store.requests.length).toBeLessThan(32)
})

test('requests to a store that answers six at once settle near that number', async () => {
  const { files, inFlight } = await scanned(20_000, { pageMs: 25, answersAtOnce: 6 })
  expect(files).toBe(20_000)
  const later = mean(inFlight.slice(inFlight.length / 2))
  expect(later).toBeGreaterThanOrEqual(3)
  expect(later).toBeLessThanOrEqual(20)
})

test('a store that refuses more than twelve requests at once is listed whole, with few refusals', async () => {
  const { store, files } = await scanned(20_000, { pageMs: 25, busyAbove: 12 })
  expect(files).toBe(20_000)
  expect(store.load.refused).toBeGreaterThan(0)
  expect(store.load.refused / store.requests.length).toBeLessThan(0.2)
})

// restic/restic#1457 and #881: providers also close connections above a number, and fewer of them succeed.
test('a store that closes connections above a number is listed whole, with few that are closed', async () => {
  const { store, files } = await scanned(20_000, { pageMs: 25, cutsAbove: 3 })
  expect(files).toBe(20_000)
  expect(store.load.refused).toBeGreaterThan(0)
  expect(store.load.refused / store.requests.length).toBeLessThan(0.2)
})
