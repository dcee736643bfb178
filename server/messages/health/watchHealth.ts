import { hostname } from 'node:os'
import { type HealthEvent, type HealthProblem, openProblems, type OpenProblem } from '#events/health.ts'
import { streamNames } from '#events/streams.ts'
import { append, readStream, system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { replicaId, runningReplicas } from '#server/workers/replicas/index.ts'
import { findProblems, isOfOneServer } from './findProblems.ts'

const everyMs = 60_000
const evolveVersion = 1

/** Checks the product's health each minute; logs and shows problems that begin and end. */
export const startHealthWatch = (platform: Platform): Running =>
  runEvery(everyMs, () => watchHealth(platform), 'could not check the health of the product', platform.log)

/** The problems found by the last check. */
export const readProblems = async (db: Db): Promise<OpenProblem[]> =>
  openProblems((await readStream<HealthEvent>(db, streamNames.health)).map(({ event }) => event)).map(
    ({ replica: _, ...problem }) => problem,
  )

/**
 * One check: appends problems that began or ended since the previous one, in any replica. A problem of one server is ended by that
 * server, or by another one once it no longer runs.
 */
export async function watchHealth(
  { db, live, log, ...stores }: Omit<Platform, 'agentDoor'>,
  find = findProblems,
): Promise<void> {
  const open = new Set((await readProblems(db)).map(({ key }) => key))
  const problems = await find({ db, ...stores }, open)
  const own = replicaId(stores.config)
  const others = (await runningReplicas(db)).flatMap(({ id }) => (id === own ? [] : id))
  const { events } = await inTransaction(db, (trx) =>
    append<HealthEvent>(trx, streamNames.health, system, evolveVersion, (past) =>
      changes(past, problems, { own, others }),
    ),
  )
  if (events.length === 0) return
  live({ type: 'changed', topics: ['health'] })
  for (const { type, problem } of events) {
    if (type === 'HealthProblemFound') log.warn({ problem: problem.key }, problem.message)
    else log.info({ problem: problem.key }, 'a problem of the product is solved')
  }
}

type Servers = { own: string; others: string[] }

function changes(past: readonly HealthEvent[], problems: readonly HealthProblem[], servers: Servers): HealthEvent[] {
  const at = new Date().toISOString()
  const open = openProblems(past)
  const begun = problems.filter(({ key }) => open.every((known) => known.key !== key))
  const ended = open.filter(
    ({ key, replica = '' }) => problems.every((found) => found.key !== key) && !servers.others.includes(replica),
  )
  return [
    ...begun.map((problem) => ({ type: 'HealthProblemFound' as const, at, problem: withServer(problem, servers) })),
    ...ended.map(({ key, message }) => ({ type: 'HealthProblemSolved' as const, at, problem: { key, message } })),
  ]
}

/** Names the server that has a problem, if there are several. */
function withServer(problem: HealthProblem, { own, others }: Servers) {
  if (!isOfOneServer(problem.key)) return problem
  const message = others.length === 0 ? problem.message : `Server ${hostname()}: ${problem.message}`
  return { ...problem, message, replica: own }
}
