import { setTimeout as wait } from 'node:timers/promises'
import { type Progress, SystemAway } from './action.ts'

/** Limits of the delay between attempts in milliseconds. */
const minDelayMs = 1_000
const maxDelayMs = 60_000

/** Repeats a question to a system while it is away, and says so with the job. Throws any other error. */
export async function patiently<T>(
  ask: () => Promise<T>,
  report: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<T> {
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      const answer = await ask()
      if (delayMs > minDelayMs) report({ note: '' })
      return answer
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof SystemAway)) throw error
      report({ note: error.message })
    }
    await wait(delayMs, undefined, { signal })
  }
}
