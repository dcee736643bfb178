import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ExternalStores,
  type Replica,
  serverEnvironment,
  startExternalStores,
  startReplica,
} from '#deploy/local/testing/externalStores.ts'
import { freePort } from '#deploy/local/testing/freePort.ts'
import { subscribeToAppends } from '#server/messages/live/startLive.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { peakMemoryOf, scheduledSeconds } from '../../kit/proc.ts'
import { openSessions, scratchFolder } from '../../kit/product.ts'
import { defineBench } from '../benchCase.ts'
import { allowPages, appendFor, beginJobs } from './appending.ts'
import type { Load } from './load.ts'
import { startSockets } from './startSockets.ts'

const replicaCount = 2
/** Browsers of one user share a session in the same way. */
const pagesPerSession = 10
const targets = { p95Ms: 50, bytes: 1e9 }

/**
 * `npm run bench -- replicas`: two servers on three external stores, and sockets in another process, half of them at each server, on the
 * topics of `--jobs` jobs. This process appends events, so both servers receive them as from another one. Prints the time from the commit of
 * an event to its frame, memory, and processor time. `--profile FOLDER` writes a processor profile of each server.
 */
export const bench = defineBench({
  options: { sockets: 5_000, events: 200, seconds: 60, jobs: 100, profile: '' },
  async run({ profile, events, ...given }) {
    const folder = scratchFolder()
    const stores = await startExternalStores(folder)
    const servers: Replica[] = []
    try {
      for (let i = 1; i <= replicaCount; i++) {
        const environment = serverEnvironment(stores, join(folder, `server-${i}`), await freePort())
        const nodeOptions = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
        servers.push(startReplica(environment, { nodeOptions }))
      }
      await Promise.all(servers.map((server) => server.ready()))
      return await withStores(stores, (db) => measure(db, servers, { ...given, rate: events }))
    } finally {
      for (const server of servers) await server.end('SIGTERM')
      await stores.stop()
    }
  },
})

/** Events that this process appends are announced to the servers. */
async function withStores<T>(stores: ExternalStores, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openPostgres(stores.databaseUrl)
  const nats = await openNats(stores.natsUrl, { name: 'bench', seed: stores.natsCredential })
  const stopAnnouncing = subscribeToAppends(nats, () => {})
  try {
    return await work(db)
  } finally {
    stopAnnouncing()
    await nats.close()
    await db.destroy()
  }
}

/** Returns 1 if events were lost or repeated. */
async function measure(db: Db, servers: Replica[], load: Load): Promise<number> {
  await allowPages(db, load.sockets)
  await beginJobs(db, load.jobs)
  const sockets = startSockets(load)
  const started = performance.now()
  const cookies = await openSessions(db, Math.ceil(load.sockets / pagesPerSession))
  await sockets.open(
    servers.map(({ address }) => address),
    cookies,
  )
  const opened = `${load.sockets} sockets at ${replicaCount} servers, opened in ${((performance.now() - started) / 1_000).toFixed(1)} s`
  console.log(`${opened}; ${load.jobs} jobs, ${load.rate} events per second for ${load.seconds} s`)
  const shares = readShares([...servers.map(({ pid }) => pid), sockets.pid])
  const appended = await appendFor(db, load)
  const used = shares(appended.seconds)
  // Waits for the last events to be delivered.
  await pause(3_000)
  const report = await sockets.report(appended)
  await sockets.end()
  const peaks = servers.map(({ pid }) => peakMemoryOf(pid))
  for (const [i, peak] of peaks.entries())
    console.log(`server ${i + 1}: at most ${(peak / 1e6).toFixed(0)} MB resident, ${used[i]}`)
  console.log(`the process with the sockets: ${used.at(-1)}`)
  const isGood = report.p95 < targets.p95Ms && peaks.every((peak) => peak < targets.bytes)
  console.log(`targets: p95 under ${targets.p95Ms} ms, each server under 1 GB: ${isGood ? 'met' : 'missed'}`)
  return report.lost > 0 || report.doubled > 0 ? 1 : 0
}

/** Returns a function that describes how busy these processes were since now, and how long other programs kept them waiting. */
function readShares(pids: number[]): (seconds: number) => string[] {
  const before = pids.map(scheduledSeconds)
  return (seconds) =>
    pids.map((pid, i) => {
      const { ran, waited } = scheduledSeconds(pid)
      const percent = (now: number, then = 0) => `${(((now - then) / seconds) * 100).toFixed(0)} %`
      return `${percent(ran, before[i]?.ran)} of a core, waited for a core ${percent(waited, before[i]?.waited)} of the time`
    })
}
