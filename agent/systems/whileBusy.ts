import { abortable, pause } from '#agent/abortable.ts'
import { StoreBusy } from './system.ts'

/** Maximum number of requests before a scan gives up, and the pauses between them, which double, unless the store names a time. */
export const maxAttempts = 12
const firstPauseMs = 250
const maxPauseMs = 30_000

/** Part of a requested wait that is added at random, so that requests don't return all at once. */
export const retrySpread = 0.25

/** Repeats a request while the store is busy, after at least the time that the store names. */
export async function whileBusy<T>(ask: () => Promise<T>, signal: AbortSignal, maxTries = maxAttempts): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await abortable(ask(), signal)
    } catch (error) {
      if (!(error instanceof StoreBusy) || tries === maxTries) throw error
      await pause(pauseMs(error.retryAfterMs, tries), signal)
    }
  }
}

/** A store that names the same short time again and again gets longer pauses, too. */
export function pauseMs(namedMs: number | undefined, tries: number): number {
  const grownMs = Math.min((namedMs ?? firstPauseMs) * 2 ** (tries - 1), maxPauseMs)
  if (namedMs === undefined) return grownMs * (0.5 + Math.random())
  return Math.max(namedMs, grownMs) * (1 + Math.random() * retrySpread)
}
