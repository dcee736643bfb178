export type Limiter = { take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>; close(): Promise<void> }

/**
 * Runs at most `count` tasks at once; others wait in order until their signal aborts. New and waiting tasks fail with
 * `refusal` after the end.
 */
export function openLimiter(count: number, refusal: string): Limiter {
  const waiting: { start(): void; refuse(reason: unknown): void }[] = []
  const running = new Set<Promise<unknown>>()
  let closed = false
  let free = count
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((start, reject) => {
      signal?.throwIfAborted()
      if (closed) throw new Error(refusal)
      if (free > 0) return void (free--, start())
      const refuse = (reason: unknown) => {
        waiting.splice(waiting.indexOf(waiter), 1)
        signal?.removeEventListener('abort', calledOff)
        reject(reason)
      }
      const calledOff = () => refuse(signal?.reason)
      const waiter = { start: () => (signal?.removeEventListener('abort', calledOff), start()), refuse }
      signal?.addEventListener('abort', calledOff)
      waiting.push(waiter)
    })
  // It may have been aborted between its turn and now.
  const begin = async <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    return work()
  }
  const passOn = () => {
    const next = waiting.shift()
    if (next) next.start()
    else free++
  }
  return {
    take(work, signal) {
      const done = turn(signal).then(() => begin(work, signal).finally(passOn))
      running.add(done)
      return done.finally(() => running.delete(done))
    },
    async close() {
      closed = true
      for (const waiter of waiting.slice()) waiter.refuse(new Error(refusal))
      await Promise.allSettled(running)
    },
  }
}
