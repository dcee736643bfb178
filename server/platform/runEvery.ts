import type { Log } from './logger.ts'

/** A background service; `stop` waits for work in progress. */
export type Running = { stop(): Promise<void> }

/**
 * Runs work at once and then every `every` milliseconds; a run that takes longer skips the ones it overlaps. A failed
 * run is logged with the message `failed`, and the next one tries again.
 */
export function runEvery(every: number, work: () => Promise<void>, failed: string, log: Log): Running {
  let round: Promise<void> | undefined
  const begin = () => {
    round ??= work()
      .catch((error: unknown) => log.warn({ error }, failed))
      .finally(() => (round = undefined))
  }
  begin()
  const timer = setInterval(begin, every)
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}
