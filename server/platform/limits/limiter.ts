import PQueue from 'p-queue'

export type Limiter = {
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Changes the number of tasks at once, for those that start from now on. */
  allow(count: number): void
  close(): Promise<void>
}

/**
 * Runs at most `count` tasks at once; others wait in order until their signal aborts. New and waiting tasks fail with
 * `refusal` after the end. A task keeps its place until it has ended: p-queue frees the place of a task whose signal aborts,
 * so it only gets a signal for the wait.
 */
export function openLimiter(count: number, refusal: string): Limiter {
  const queue = new PQueue({ concurrency: count })
  const closing = new AbortController()
  return {
    async take(work, signal) {
      const signals = [closing.signal, ...(signal ? [signal] : [])]
      for (const one of signals) one.throwIfAborted()
      const waiting = new AbortController()
      const refuse = () => waiting.abort(signals.find(({ aborted }) => aborted)?.reason)
      for (const one of signals) one.addEventListener('abort', refuse)
      const stopWaiting = () => {
        for (const one of signals) one.removeEventListener('abort', refuse)
      }
      const start = () => (stopWaiting(), work())
      return queue.add(start, { signal: waiting.signal }).finally(stopWaiting)
    },
    allow(count) {
      queue.concurrency = count
    },
    async close() {
      closing.abort(new Error(refusal))
      await queue.onIdle()
    },
  }
}

type Take<T> = (work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Waits for a turn at most this many milliseconds, then fails with the error; work that has started is not interrupted. */
export function takeWithin<T>(
  take: Take<T>,
  work: () => Promise<T>,
  signal: AbortSignal,
  { ms, late }: { ms: number; late: () => Error },
): Promise<T> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(late()), ms)
  const begin = () => (clearTimeout(timer), work())
  return take(begin, AbortSignal.any([signal, waiting.signal])).finally(() => clearTimeout(timer))
}
