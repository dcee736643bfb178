import type { PolicyActionKind, PolicySearch } from '#events/policies/policies.ts'
import { listUsedAgain as listCall, simulatePolicy } from '#events/policies/simulations.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import { type Caller, route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { simulate } from './curve.ts'
import { readTried } from './tried.ts'
import { listUsedAgain } from './usedAgain.ts'

/** Seconds that a query about the past may take. */
const maxSeconds = 300

export function simulationRoutes({ db, clickhouse: all }: Pick<Platform, 'db' | 'clickhouse'>) {
  const readingOf = async (body: { search: PolicySearch; action: PolicyActionKind }, caller: Caller) => {
    const clickhouse = forCaller(caller, all)
    const tried = await readTried({ db, clickhouse }, body.search, body.action)
    return { clickhouse, tried, options: { heavy: true, seconds: maxSeconds } }
  }
  return [
    route(simulatePolicy, async ({ body }, caller) => simulate(await readingOf(body, caller), body.days)),
    route(listCall, async ({ body }, caller) => listUsedAgain(await readingOf(body, caller), body.days, body.within)),
  ]
}
