import { StoreBusy } from '../system.ts'

/** Successes after which one more request may run at once. */
const successesToGrow = 50

/** Bounds the requests that run at once: half as many after the cluster was busy, then slowly more again. */
export function newLimiter(max: number) {
  let limit = max
  let running = 0
  let successes = 0
  /** Requests that were sent before the limit was halved may fail for the same reason. */
  let ignored = 0
  const waiting: (() => void)[] = []

  const release = () => {
    running--
    while (running < limit && waiting.length > 0) {
      running++
      waiting.shift()?.()
    }
  }
  const succeeded = () => {
    ignored = Math.max(0, ignored - 1)
    if (++successes < successesToGrow) return
    successes = 0
    limit = Math.min(limit + 1, max)
  }
  const failed = (error: unknown) => {
    if (!(error instanceof StoreBusy)) return
    successes = 0
    if (ignored > 0) return void ignored--
    ignored = running - 1
    limit = Math.max(1, Math.floor(limit / 2))
  }
  return {
    limit: () => limit,
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (running < limit) running++
      else await new Promise<void>((start) => waiting.push(start))
      try {
        const result = await task()
        succeeded()
        return result
      } catch (error) {
        failed(error)
        throw error
      } finally {
        release()
      }
    },
  }
}
