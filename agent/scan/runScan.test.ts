import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import type { Progress } from '#events/scans/lifecycle.ts'
import { madeUpObjects, madeUpStore } from '../testing/madeUpStore.ts'
import { orderOf } from '../testing/walked.ts'
import type { Systems } from '../systems/index.ts'
import { messageOf, type PagedSystem } from '../systems/system.ts'
import { forever } from '../systems/testing.ts'
import { runScan } from './runScan.ts'
import { joinServer } from './serverShares.ts'

/** Scans a system of pages that is on the server 'tested'; returns the events and the progress that were reported. */
async function scanned(pages: PagedSystem, more: Partial<Awaited<ReturnType<Systems['open']>>> = {}) {
  const events: Record<string, unknown>[] = []
  const progress: Progress[] = []
  const systems: Systems = {
    open: async (_, signal) => ({
      listing: 'pages',
      pages,
      signal,
      server: 'tested',
      check: async () => {},
      reasonOf: messageOf,
      capacity: async () => undefined,
      close: async () => {},
      ...(more as object),
    }),
    settled: async () => {},
  }
  const report = {
    batch: async () => {},
    event: async (event: object) => void events.push({ ...event }),
    progressed: async (now: Progress) => void progress.push(now),
  }
  const nextPage = async () => ({ pending: [], morePending: 0 })
  await runScan(orderOf('', { pending: [''] }), { report, nextPage, systems, signal: forever })
  return { events, progress }
}

/** Number of scans on the server 'tested'. */
function scansOfServer(): number {
  const joined = joinServer('tested')
  const scans = Math.round(1_000_000 / joined.share(1_000_000)) - 1
  joined.leave()
  return scans
}

test('a scan has its share of a server until it ends in any way', async () => {
  const store = madeUpStore(madeUpObjects(3_000))
  const seen: number[] = []
  const watched: PagedSystem = {
    ...store,
    page: (part, options) => {
      seen.push(scansOfServer())
      return store.page(part, options)
    },
  }
  const ended = await Promise.all([scanned(watched), scanned(watched)])
  for (const { events } of ended) expect(events.map(({ type }) => type)).toEqual(['started', 'completed'])
  expect(Math.max(...seen)).toBe(2)
  expect(scansOfServer()).toBe(0)
  const { events } = await scanned(madeUpStore([], { failAt: 1 }))
  expect(events.map(({ type }) => type)).toEqual(['started', 'failed'])
  expect(scansOfServer()).toBe(0)
})

test('requests after the listing count, too, and the pace is part of the progress', async () => {
  const store = madeUpStore(madeUpObjects(3_000))
  const versions = async (run: <T>(ask: () => Promise<T>) => Promise<T>) => {
    await run(() => store.page('', { idle: 0, signal: forever }))
    return undefined
  }
  const { events } = await scanned(store, { versions })
  expect(events.at(-1)).toMatchObject({
    type: 'completed',
    progress: { requests: store.requests(), pace: { inFlight: 0, latencyMs: expect.any(Number) } },
  })
})

test('a scan of folders fails with the reason when their storage does not answer at its end', async () => {
  const root = testFolder()
  writeFileSync(join(root, 'file'), 'some bytes')
  const events: Record<string, unknown>[] = []
  const system: Awaited<ReturnType<Systems['open']>> = {
    listing: 'walk',
    root,
    signal: forever,
    server: 'tested',
    check: () => new Promise(() => {}),
    reasonOf: messageOf,
    capacity: async () => undefined,
    close: async () => {},
  }
  await runScan(orderOf(root), {
    report: {
      batch: async () => {},
      event: async (event) => void events.push({ ...event }),
      progressed: async () => {},
    },
    nextPage: async () => ({ pending: [], morePending: 0 }),
    systems: { open: async () => system, settled: async () => {} },
    answerMs: 100,
    signal: forever,
  })
  expect(events.at(-1)).toEqual({ type: 'failed', reason: 'The storage did not answer for 0.1 seconds' })
})
