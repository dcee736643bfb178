import { setTimeout as pause } from 'node:timers/promises'
import { CannotStart } from '#server/platform/config.ts'
import { rebuildOutdatedJobs } from '#server/workers/jobs/index.ts'
import { standBack } from '#server/platform/log/standBack.ts'
import { type KnownMigrations, readKnownMigrations, unknownMigrations } from '#server/platform/migrate.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { fingerprintOfKey, hasKey } from '#server/platform/secrets.ts'
import {
  forgetEndedReplicas,
  otherReplicas,
  removeReplica,
  renewReplica,
  runningReplicas,
  type Replica,
  replicaId,
} from './replicaRows.ts'

type Deps = Pick<Platform, 'config' | 'db' | 'log'>

/** Milliseconds between renewals of a server's row, and until every running server has noticed a new one. */
const intervalMs = 5_000
const noticedAfterMs = intervalMs + 1_000

type JoinOptions = {
  /** Migrations of this version. */
  known?: KnownMigrations
  /** Ends this server, whose version can't work with the tables of a newer one. The reason is for the operator. */
  stop?: (reason: string) => void
  everyMs?: number
  noticedMs?: number
}

/**
 * Registers this server with the others on the same stores, once the tables are up to date. Throws `CannotStart` if another one has a
 * different key of secrets. If servers of an earlier version run, resolves when they have noticed and leave following the log, and
 * what is due, to this one. Then watches for a newer version in turn.
 */
export async function joinReplicas(platform: Deps, options: JoinOptions = {}): Promise<Running> {
  const { config, db, log } = platform
  const { known = await readKnownMigrations(), stop = endProcess } = options
  const { everyMs = intervalMs, noticedMs = noticedAfterMs } = options
  const id = replicaId(config)
  const versions = { postgres: known.postgres.at(-1) ?? '', clickhouse: known.clickhouse.at(-1) ?? '' }
  const renew = async (isStart = false) =>
    renewReplica(db, { id, secretKey: await ownKey(platform), ...versions }, isStart)
  await forgetEndedReplicas(db)
  await renew(true)
  await refuseOtherKey(platform, noticedMs)
  let hadOlder = (await otherReplicas(db, config)).some((other) => isOlder(other, versions))
  if (hadOlder) {
    log.info('servers of an earlier version are running, waiting until they have noticed this one')
    await pause(noticedMs)
  }
  let isEnding = false
  const round = async () => {
    await renew()
    const others = await otherReplicas(db, config)
    standBack(others.some((other) => isOlder(versions, other)))
    const hasOlder = others.some((other) => isOlder(other, versions))
    // They may have folded events of this version, which they don't know.
    if (hadOlder && !hasOlder) await rebuildOutdatedJobs(db)
    hadOlder = hasOlder
    const unbearable = (await unknownMigrations(db, known)).filter(({ isBearable }) => !isBearable)
    if (unbearable.length === 0 || isEnding) return
    isEnding = true
    const names = unbearable.map(({ store, name }) => `${store} ${name}`).join(', ')
    const reason = `A newer version changed the tables (${names}), and this version can no longer use them. It stops: start the newer version here`
    log.fatal(reason)
    stop(reason)
  }
  const rounds = runEvery(everyMs, round, 'could not renew the entry of this server, will retry', log)
  return {
    async stop() {
      await rounds.stop()
      standBack(false)
      await removeReplica(db, id).catch((error: unknown) =>
        log.warn({ error }, 'could not remove the entry of this server'),
      )
    },
  }
}

/** Ends this process in the same way as its supervisor would. */
function endProcess(reason: string): void {
  process.stderr.write(`${reason}\n`)
  process.kill(process.pid, 'SIGTERM')
}

type Versions = Pick<Replica, 'postgres' | 'clickhouse'>

const isOlder = (one: Versions, other: Versions): boolean =>
  one.postgres < other.postgres || one.clickhouse < other.clickhouse

const ownKey = async ({ config }: Deps): Promise<string | null> => (hasKey(config) ? fingerprintOfKey(config) : null)

/**
 * Throws if a server that started before this one is running with another key: each would store secrets that the other can't open. One
 * that is not seen again was killed a moment ago.
 */
async function refuseOtherKey(platform: Deps, noticedMs: number): Promise<void> {
  const { config, db } = platform
  const key = await ownKey(platform)
  const differing = async () => {
    const running = await runningReplicas(db)
    const earlier = running.slice(
      0,
      running.findIndex(({ id }) => id === replicaId(config)),
    )
    return earlier.filter(({ secretKey }) => secretKey === null || secretKey !== key)
  }
  const before = await differing()
  if (before.length === 0) return
  await pause(noticedMs)
  const seenBefore = new Map(before.map(({ id, seenAt }) => [id, seenAt.getTime()]))
  const other = (await differing()).find(({ id, seenAt }) => seenAt.getTime() !== seenBefore.get(id))
  if (!other) return
  await removeReplica(db, replicaId(config))
  throw new CannotStart(
    `All servers on the same stores need the same key of secrets: the server on ${other.host} has ${other.secretKey ?? 'none yet'}, ` +
      `and this one has ${key ?? 'none yet'}. Set DATAINTELL_SECRET_KEY to the same value for every server, and start them again`,
  )
}
