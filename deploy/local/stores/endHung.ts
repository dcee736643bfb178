import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds between two questions to a store that doesn't answer (four times as long if it does), and until it is ended. */
export type HangLimits = { everyMs: number; hungAfterMs: number }
const defaultLimits: HangLimits = { everyMs: 5_000, hungAfterMs: 40_000 }

/**
 * Ends a store that runs but no longer answers, until it is stopped; `keepRunning` starts it again. `answers` is false, or
 * throws, if no answer came in time. The time without an answer begins again when another process runs.
 */
export function endHung<Process>(
  running: () => Process,
  answers: () => Promise<boolean>,
  end: (hung: Process) => Promise<void>,
  { everyMs, hungAfterMs }: HangLimits = defaultLimits,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const watching = (async () => {
    let answered = { by: running(), at: performance.now() }
    while (!signal.aborted) {
      const asked = running()
      const isAnswering = await answers().catch(() => false)
      if (signal.aborted) return
      if (isAnswering || asked !== running() || asked !== answered.by)
        answered = { by: running(), at: performance.now() }
      else if (performance.now() - answered.at > hungAfterMs) await end(asked).catch(() => {})
      await pause(isAnswering ? 4 * everyMs : everyMs, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
