/** How often we look whether it still runs, in milliseconds. */
const lookEvery = 250

/**
 * Starts something again whenever it has died, until it is stopped. What does not start now is tried again at the next
 * look; health tells meanwhile that it is away.
 */
export function keepRunning(runs: () => boolean, start: () => Promise<void>): { stop(): Promise<void> } {
  let looking = Promise.resolve()
  const look = async () => {
    if (!runs()) await start()
  }
  const timer = setInterval(() => void (looking = looking.then(look).catch(() => {})), lookEvery)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
