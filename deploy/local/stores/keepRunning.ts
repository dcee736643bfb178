import { limitLog } from './limitLog.ts'

/** Milliseconds between two checks. */
const checkEveryMs = 1_000

/**
 * Starts a store again whenever it has ended, until it is stopped, and limits the size of its log. A start that fails is
 * retried at the next check; meanwhile health reports the store as down.
 */
export function keepRunning(
  isRunning: () => boolean,
  start: () => Promise<void>,
  log?: string,
): { stop(): Promise<void> } {
  let checking = Promise.resolve()
  const check = async () => {
    if (log !== undefined) limitLog(log)
    if (!isRunning()) await start()
  }
  const timer = setInterval(() => void (checking = checking.then(check).catch(() => {})), checkEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}
