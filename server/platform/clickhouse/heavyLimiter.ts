import { keyOf, type Sql } from './sql.ts'
import { openLimiter } from '#server/platform/limits/limiter.ts'
import { openLimiterByKey } from '#server/platform/limits/limiterByKey.ts'
import { aboveLimit, currentUser } from '#server/platform/limits/userLimits.ts'
import { closedMessage } from './pool.ts'
import type { Weight } from './runQuery.ts'

type Turn = { condition?: Sql | undefined; signal: AbortSignal }
type QueryTurn = Turn & { weight: Weight }

/**
 * Limits heavy queries to `count` at once, and runs those with the same condition one after another. The engine
 * remembers where a condition matched nothing and skips that; concurrent queries would each read all of it. Queries of
 * one user wait for each other first, so that they take no more than this user's share of the turns of all.
 */
function openHeavyLimiter(count: number) {
  const limiter = openLimiter(count, closedMessage)
  const byCondition = openLimiterByKey(closedMessage)
  const byUser = openLimiterByKey(closedMessage)
  const inTurn = <T>(work: () => Promise<T>, { condition, signal }: Turn): Promise<T> => {
    const run = () => limiter.take(work, signal)
    return condition ? byCondition.take(keyOf(condition), run, signal) : run()
  }
  return {
    take<T>(work: () => Promise<T>, turn: Turn): Promise<T> {
      const user = currentUser()
      if (!user) return inTurn(work, turn)
      const share = { running: user.limits.heavyQueriesPerUser, waiting: maxWaiting, refuse }
      return byUser.take(user.key, () => inTurn(work, turn), turn.signal, share)
    },
    close: async () => void (await Promise.all([byUser.close(), byCondition.close(), limiter.close()])),
  }
}

/** Limits queries: those of each user, and how many heavy ones and background ones run at once. */
export function openQueryLimiter({ heavy, background }: { heavy: number; background: number }) {
  const [ofAll, ofUser] = [openHeavyLimiter(heavy), openUserLimiter()]
  const inBackground = openLimiter(background, closedMessage)
  return {
    take<T>(query: () => Promise<T>, { weight, ...turn }: QueryTurn): Promise<T> {
      const work = () => ofUser.take(query, turn.signal)
      if (weight === 'background') return inBackground.take(work, turn.signal)
      return weight === 'heavy' ? ofAll.take(work, turn) : work()
    },
    close: async () => void (await Promise.all([ofAll.close(), ofUser.close(), inBackground.close()])),
  }
}

/** Connections that the queries of one user occupy at once, heavy or not: fewer than there are. */
const maxConnectionsOfUser = 4

/** Leaves connections to others: one user's queries occupy only some of them. */
function openUserLimiter() {
  const byUser = openLimiterByKey(closedMessage)
  return {
    take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
      const user = currentUser()
      const share = { running: maxConnectionsOfUser, waiting: Infinity, refuse }
      return user ? byUser.take(user.key, work, signal, share) : work()
    },
    close: () => byUser.close(),
  }
}

/** Queries of a user that wait: more than the largest screen has. */
const maxWaiting = 30

function refuse(): never {
  throw aboveLimit('heavyQueriesPerUser', `${maxWaiting} of your queries are waiting already.`, 10)
}
