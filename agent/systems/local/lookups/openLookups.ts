import type { AsyncCalls } from './asyncCalls.ts'
import type { Lookups, WayOfLookups } from './lookups.ts'
import { openPool } from './pool.ts'
import { openRing } from './ring.ts'

/** The best way that this machine has, or a given one. `onAnswers` is called after the answers of a moment. */
export function openLookups(calls: AsyncCalls, onAnswers: () => void, way?: WayOfLookups): Lookups {
  const pool = openPool(calls, onAnswers)
  return way === 'pool' ? pool : (openRing(calls, pool, onAnswers) ?? pool)
}
