import PQueue from 'p-queue'
import { StoreBusy } from '../system.ts'

/** Successes after which one more request may run at once. */
const successesToGrow = 50

/** Bounds the requests that run at once: half as many after the cluster was busy, then slowly more again. */
export function newLimiter(max: number) {
  const queue = new PQueue({ concurrency: max })
  let successes = 0
  /** Requests that were sent before the limit was halved may fail for the same reason. */
  let ignored = 0

  const succeeded = () => {
    ignored = Math.max(0, ignored - 1)
    if (++successes < successesToGrow) return
    successes = 0
    queue.concurrency = Math.min(queue.concurrency + 1, max)
  }
  const failed = (error: unknown) => {
    if (!(error instanceof StoreBusy)) return
    successes = 0
    if (ignored > 0) return void ignored--
    ignored = queue.pending - 1
    queue.concurrency = Math.max(1, Math.floor(queue.concurrency / 2))
  }
  return {
    limit: () => queue.concurrency,
    run: <T>(task: () => Promise<T>): Promise<T> =>
      queue.add(async () => {
        try {
          const result = await task()
          succeeded()
          return result
        } catch (error) {
          failed(error)
          throw error
        }
      }),
  }
}
