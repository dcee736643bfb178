import type { IconikConnection } from '#events/actions/iconik.ts'
import type { Timing } from './timing.ts'

/** Earliest time of the next request, by configuration. */
const nextTimes = new Map<string, number>()

/**
 * Spreads the requests of this agent to one configuration over time. Other agents are not counted: Iconik itself allows more than twice as
 * many requests, and refuses those above its own limit.
 */
export function newPacer({ url, appId }: IconikConnection, { requestsPerSecond, wait }: Timing) {
  const key = JSON.stringify([url, appId])
  return async (signal: AbortSignal): Promise<void> => {
    const now = performance.now()
    const time = Math.max(now, nextTimes.get(key) ?? 0)
    nextTimes.set(key, time + 1_000 / requestsPerSecond)
    if (time > now) await wait(time - now, signal)
  }
}
