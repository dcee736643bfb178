import { keyOf, type Sql } from '../sql.ts'
import { openTurns } from '../turns.ts'
import { openTurnsByKey } from '../turnsByKey.ts'
import { closedMessage } from './lanes.ts'

type Turn = { condition?: Sql | undefined; signal: AbortSignal }

/**
 * The turns of heavy questions: at most `count` at once, and those that try the same condition one after another. The engine
 * remembers where a condition met nothing and does not read there again; side by side each would read all of it.
 */
export function openHeavyTurns(count: number) {
  const turns = openTurns(count, closedMessage)
  const byCondition = openTurnsByKey(closedMessage)
  return {
    take<T>(work: () => Promise<T>, { condition, signal }: Turn): Promise<T> {
      const inTurn = () => turns.take(work, signal)
      return condition ? byCondition.take(keyOf(condition), inTurn, signal) : inTurn()
    },
    close: async () => void (await Promise.all([byCondition.close(), turns.close()])),
  }
}
