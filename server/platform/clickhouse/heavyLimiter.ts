import { keyOf, type Sql } from './sql.ts'
import { openLimiter } from '#server/platform/limiter.ts'
import { openLimiterByKey } from '#server/platform/limiterByKey.ts'
import { closedMessage } from './pool.ts'

type Turn = { condition?: Sql | undefined; signal: AbortSignal }

/**
 * Limits heavy queries to `count` at once, and runs those with the same condition one after another. The engine
 * remembers where a condition matched nothing and skips that; concurrent queries would each read all of it.
 */
export function openHeavyLimiter(count: number) {
  const limiter = openLimiter(count, closedMessage)
  const byCondition = openLimiterByKey(closedMessage)
  return {
    take<T>(work: () => Promise<T>, { condition, signal }: Turn): Promise<T> {
      const run = () => limiter.take(work, signal)
      return condition ? byCondition.take(keyOf(condition), run, signal) : run()
    },
    close: async () => void (await Promise.all([byCondition.close(), limiter.close()])),
  }
}
