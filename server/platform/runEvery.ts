import type { Log } from './logger.ts'

/** Something that goes on until it is stopped; `stop` waits for what is under way. */
export type Running = { stop(): Promise<void> }

/**
 * Does something at once and then every so many milliseconds; a round that takes longer leaves out those that fall into
 * it. One that fails is logged in the words of `failed`, and the next one tries again.
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
