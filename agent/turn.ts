import { Cancelled, Stopping } from './endings.ts'

/**
 * One turn of a task: its signal is aborted when the server cancels the attempt that the turn makes, or when the agent
 * stops. `began` notes that attempt as soon as it is known.
 */
export type Turn = ReturnType<typeof openTurn>

export function openTurn() {
  const ending = new AbortController()
  let current: number | undefined
  let cancelled = 0
  const check = () => {
    if ((current ?? Infinity) <= cancelled) ending.abort(new Cancelled('The task was cancelled'))
  }
  return {
    signal: ending.signal,
    began(attempt: number) {
      current = attempt
      check()
    },
    /** Ends the attempts up to this one: a newer one was ordered after the server had said so. */
    cancel(upTo = Infinity) {
      cancelled = Math.max(cancelled, upTo)
      check()
    },
    stop: () => ending.abort(new Stopping('The agent stops')),
  }
}
