import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { abortable, pause } from '../../abortable.ts'
import { type PagedSystem, StoreBusy } from '../../systems/system.ts'
import { whileBusy } from '../../systems/whileBusy.ts'
import { newConcurrency } from '../concurrency.ts'
import { newAllowedLookups } from '../quietHours.ts'
import type { JoinedServer } from '../serverShares.ts'

/** Requests in flight at the start of a scan, and at most. */
const firstRequests = 4
const maxRequests = 64
/** Entries of a page until the first one is read, as S3 has them. */
const typicalEntries = 1_000
/** Longest sleep of a page that waits for the entry rate, which may turn out to be lower. */
const lookEveryMs = 1_000

/**
 * Runs the requests of a scan in pages: as many at once as make it faster, within the limits of the order, the system and the share of the
 * server. While the server makes any scan wait, none starts.
 */
export function newRequests({ pace }: Pick<ScanOrder, 'pace'>, system: Limited, server: JoinedServer) {
  const { requestsAtOnce = maxRequests } = system
  const allowed = newAllowedLookups(pace)
  const max = () => server.share(Math.min(maxRequests, requestsAtOnce, allowed()))
  const concurrency = newConcurrency({ start: firstRequests, max })
  const rate = newEntryRate(pace?.maxEntriesPerSecond ?? Infinity)
  const turns = newTurns(concurrency.limit, server)
  const failed = (error: unknown): void => {
    if (!(error instanceof StoreBusy)) return
    concurrency.overloaded(performance.now())
    if (error.retryAfterMs !== undefined) server.hold(error.retryAfterMs)
  }
  const once = async <T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    await turns.take(signal)
    const startMs = performance.now()
    try {
      const answer = await ask()
      const endMs = performance.now()
      concurrency.answered(endMs - startMs, turns.taken(), endMs)
      return answer
    } catch (error) {
      failed(error)
      throw error
    } finally {
      turns.end()
    }
  }
  const run = <T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> => whileBusy(() => once(ask, signal), signal)
  return {
    /** Runs a request in its turn, and repeats it while the server is busy. */
    run,
    /** Same for a page, which also waits until its entries are within the rate of the order. */
    async page<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
      await rate.turn(signal)
      return run(ask, signal)
    },
    /** Requests that may be in flight now, and at most. */
    limit: concurrency.limit,
    max,
    /** The entries of a page were counted. */
    counted: rate.counted,
    /** Numbers for the progress of the scan. */
    measured: () => ({
      requests: system.requests(),
      pace: { inFlight: turns.taken(), latencyMs: concurrency.latencyMs() },
    }),
  }
}
export type Requests = ReturnType<typeof newRequests>

type Limited = Pick<PagedSystem, 'requests' | 'requestsAtOnce'>

/** Turns of requests, as many at a time as `limit` says, and none while the server makes its scans wait. */
function newTurns(limit: () => number, server: JoinedServer) {
  let taken = 0
  let ended = Promise.withResolvers<void>()
  return {
    taken: () => taken,
    async take(signal: AbortSignal): Promise<void> {
      for (;;) {
        const waitMs = server.waitMs()
        if (waitMs > 0) await pause(waitMs, signal)
        else if (taken >= limit()) await abortable(ended.promise, signal)
        else return void taken++
      }
    },
    end(): void {
      taken--
      ended.resolve()
      ended = Promise.withResolvers()
    },
  }
}

/** Spreads pages over time, so that their entries don't exceed a rate. The entries of a page are estimated until they are counted. */
function newEntryRate(perSecond: number) {
  let freeAtMs = 0
  let estimate = typicalEntries
  const msOf = (entries: number) => (entries / perSecond) * 1_000
  return {
    async turn(signal: AbortSignal): Promise<void> {
      for (;;) {
        const nowMs = performance.now()
        if (freeAtMs <= nowMs) return void (freeAtMs = nowMs + msOf(estimate))
        await pause(Math.min(freeAtMs - nowMs, lookEveryMs), signal)
      }
    },
    counted(entries: number): void {
      freeAtMs += msOf(entries - estimate)
      if (entries > 0) estimate = entries
    },
  }
}
