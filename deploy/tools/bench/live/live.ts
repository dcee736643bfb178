import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type Replica,
  serverEnvironment,
  startExternalStores,
  startReplica,
} from '#deploy/local/testing/externalStores.ts'
import { freePort } from '#deploy/local/testing/freePort.ts'
import { subscribeToAppends } from '#server/messages/live/startLive.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { startChild } from '../../kit/child.ts'
import { atEnd, scratchFolder } from '../../kit/ends.ts'
import { peakMemoryOf, scheduledSeconds } from '../../kit/proc.ts'
import { openSessions } from '../../kit/product.ts'
import { defineTool } from '../../kit/tool.ts'
import { allowPages, appendFor, beginJobs } from './appending.ts'
import type { Load, Report } from './load.ts'
import type { SocketCalls } from './sockets.ts'

/** Browsers of one user share a session in the same way. */
const pagesPerSession = 10
const targets = { p95Ms: 50, bytes: 1e9 }

/**
 * `npm run bench -- live` and `replicas`: servers on three external stores, and sockets in another process, divided among the servers, on the
 * topics of `--jobs` jobs. This process appends events, so all servers receive them as from another one. Prints the time from the commit of
 * an event to its frame, lost and repeated events, memory, and processor time. `--sockets`, `--rate` and `--seconds` change the load.
 */
const benchOf = (servers: number, load: Pick<Load, 'sockets' | 'jobs'>) =>
  defineTool({
    options: { rate: 200, seconds: 60, ...load },
    async run(given) {
      const { db, replicas } = await startServers(servers)
      return measure(db, replicas, given)
    },
  })

export const live = benchOf(1, { sockets: 500, jobs: 20 })
export const replicas = benchOf(2, { sockets: 5_000, jobs: 100 })

/** Starts the stores and the servers, to which events that this process appends are announced. */
async function startServers(count: number): Promise<{ db: Db; replicas: Replica[] }> {
  const folder = scratchFolder()
  const stores = await startExternalStores(folder)
  atEnd(stores.stop)
  const replicas: Replica[] = []
  for (let i = 1; i <= count; i++)
    replicas.push(startReplica(serverEnvironment(stores, join(folder, `server-${i}`), await freePort())))
  atEnd(async () => void (await Promise.all(replicas.map(({ end }) => end('SIGTERM')))))
  await Promise.all(replicas.map((replica) => replica.ready()))
  const db = openPostgres(stores.databaseUrl)
  atEnd(() => db.destroy())
  const nats = await openNats(stores.natsUrl, { name: 'bench', seed: stores.natsCredential })
  atEnd(() => nats.close())
  atEnd(subscribeToAppends(nats, () => {}))
  return { db, replicas }
}

/** Returns 1 if events were lost or repeated. */
async function measure(db: Db, servers: Replica[], load: Load): Promise<number> {
  await allowPages(db, load.sockets)
  await beginJobs(db, load.jobs)
  const sockets = startChild<SocketCalls>(pathToFileURL(join(import.meta.dirname, 'sockets.ts')))
  const started = performance.now()
  const cookies = await openSessions(db, Math.ceil(load.sockets / pagesPerSession))
  const addresses = servers.map(({ address }) => address)
  await sockets.call('open', { addresses, cookies, load })
  const opened = `${load.sockets} sockets at ${servers.length} servers, opened in ${((performance.now() - started) / 1_000).toFixed(1)} s`
  console.log(`${opened}; ${load.jobs} jobs, ${load.rate} events per second for ${load.seconds} s`)
  const shares = readShares([...servers.map(({ pid }) => pid), sockets.pid])
  const appended = await appendFor(db, load)
  const used = shares(appended.seconds)
  // Waits for the last events to be delivered.
  await pause(3_000)
  const report = await sockets.call('report', appended)
  await sockets.end()
  print(report, appended.committed.length / appended.seconds)
  const peaks = servers.map(({ pid }) => peakMemoryOf(pid))
  for (const [i, peak] of peaks.entries())
    console.log(`server ${i + 1}: at most ${(peak / 1e6).toFixed(0)} MB resident, ${used[i]}`)
  console.log(`the process with the sockets: ${used.at(-1)}`)
  const isGood = report.p95 < targets.p95Ms && peaks.every((peak) => peak < targets.bytes)
  console.log(`targets: p95 under ${targets.p95Ms} ms, each server under 1 GB: ${isGood ? 'met' : 'missed'}`)
  return report.lost > 0 || report.doubled > 0 ? 1 : 0
}

function print(report: Report, rate: number): void {
  const [p50, p95, p99, max] = [report.p50, report.p95, report.p99, report.max].map((time) => time.toFixed(1))
  console.log(`appended ${rate.toFixed(0)} events per second; received ${report.events} in ${report.frames} frames`)
  console.log(`from commit to frame: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms`)
  console.log(`lost ${report.lost}, repeated ${report.doubled}; ${report.states} states of topics`)
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
