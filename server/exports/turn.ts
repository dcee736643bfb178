import { Problem } from '#server/platform/problem.ts'
import { openTurns } from '#server/platform/turns.ts'

/** How long a download waits for those before it. */
const patience = 30_000

/** One download is made at a time: each takes a large part of the machine. */
export type Turn = <T>(work: () => Promise<T>, gone: AbortSignal) => Promise<T>

/** Downloads wait in order, for so many milliseconds; then the caller is told to come again. */
export function openTurn(patienceMs = patience): Turn {
  const turns = openTurns(1, 'The server is stopping')
  return async (work, gone) => {
    const waiting = new AbortController()
    const busy = () =>
      waiting.abort(new Problem(503, 'Another download is being made: try again in a minute', exportBusy))
    const timer = setTimeout(busy, patienceMs)
    const begin = () => (clearTimeout(timer), work())
    return turns.take(begin, AbortSignal.any([gone, waiting.signal])).finally(() => clearTimeout(timer))
  }
}

const exportBusy = { code: 'exportBusy' }
