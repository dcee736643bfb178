import { setTimeout as wait } from 'node:timers/promises'
import { abortable } from '#agent/abortable.ts'
import { StoreBusy } from './system.ts'

/** Maximum number of requests before a scan gives up, and the pauses between them unless the store names a time. */
const maxAttempts = 12
const firstPauseMs = 250
const maxPauseMs = 30_000

/** Asks again and again while the store is busy. The pauses vary, so that requests do not come back all at once. */
export async function whileBusy<T>(ask: () => Promise<T>, signal: AbortSignal, maxTries = maxAttempts): Promise<T> {
  for (let tries = 1, pauseMs = firstPauseMs; ; tries++, pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await abortable(ask(), signal)
    } catch (error) {
      if (!(error instanceof StoreBusy) || tries === maxTries) throw error
      await wait(error.retryAfterMs ?? pauseMs * (0.5 + Math.random()), undefined, { signal })
    }
  }
}
