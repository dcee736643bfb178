import { onGrown } from './log/eventLog.ts'
import type { Log } from './logger.ts'
import { messageOf } from './problem.ts'
import { isStoreLost } from './storeErrors.ts'

/** A background service; `stop` waits for work in progress. */
export type Running = { stop(): Promise<void> }

/** Milliseconds after the last event until the log counts as quiet. What follows an event has happened by then. */
const settledMs = 5_000

/**
 * Runs work at once and then every `every` milliseconds; a run that takes longer skips the ones it overlaps. A failed run is logged
 * with the message `failed`, and the next one tries again. While no server appends to the event log, and the last run neither failed
 * nor returned true, it runs every `quietMs`.
 */
export function runEvery(
  every: number,
  work: () => Promise<boolean | void>,
  failed: string,
  log: Log,
  quietMs = every,
): Running {
  let round: Promise<void> | undefined
  let quietFrom = performance.now() + settledMs
  let nextQuiet = 0
  // Also long enough for the next run to come after the event.
  const stopListening = onGrown(() => (quietFrom = performance.now() + Math.max(settledMs, 2 * every)))
  const begin = () => {
    const now = performance.now()
    if (now > quietFrom && now < nextQuiet) return
    // Half a step earlier, because timers are not exact.
    nextQuiet = now + quietMs - every / 2
    round ??= work()
      .catch((error: unknown) => {
        log.warn({ error }, failed)
        return true
      })
      .then((isBusy) => void (isBusy && (nextQuiet = 0)))
      .finally(() => (round = undefined))
  }
  begin()
  const timer = setInterval(begin, every)
  return {
    async stop() {
      clearInterval(timer)
      stopListening()
      await round
    },
  }
}

/** Failures of an item in a row, while the stores work, until the loop gives it up. */
const maxItemFailures = 5
/** Milliseconds until an abandoned item is tried again. */
const restMs = 24 * 60 * 60_000

type Failures = { count: number; restsUntil: number }

/**
 * Makes a function that works on the items of a loop, one after another. An item that fails doesn't keep the others from being worked on;
 * after five failures in a row it rests for a day, and the log has the reason. Failures of a store don't count.
 */
export function newItemLoop(log: Log, failed: string, now = () => Date.now()) {
  const failures = new Map<string, Failures>()
  return async <T>(items: Iterable<T>, nameOf: (item: T) => string, work: (item: T) => Promise<unknown>) => {
    for (const item of items) {
      const name = nameOf(item)
      const before = failures.get(name)
      if (before && before.restsUntil > now()) continue
      try {
        await work(item)
        failures.delete(name)
      } catch (error) {
        log.warn({ error, item: name }, failed)
        if (isStoreLost(error)) continue
        const count = (before?.count ?? 0) + 1
        const isGivenUp = count >= maxItemFailures
        failures.set(name, isGivenUp ? { count: 0, restsUntil: now() + restMs } : { count, restsUntil: 0 })
        if (isGivenUp)
          log.error({ item: name, reason: messageOf(error) }, `${failed}; gave up after ${maxItemFailures} attempts`)
      }
    }
  }
}
export type ItemLoop = ReturnType<typeof newItemLoop>
