import { fork } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sessionCookie } from '#events/users/session.ts'
import { subscribeToAppends } from '#server/live/startLive.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { openSession } from '#server/platform/callers/session.ts'
import {
  type Replica,
  serverEnvironment,
  startExternalStores,
  startReplica,
} from '#deploy/local/testing/externalStores.ts'
import { freePort } from '#deploy/local/testing/freePort.ts'
import { peakMemory, scheduledSeconds } from '../commands.ts'
import { allowPages, appendFor, beginJobs } from '../live/appending.ts'
import { type FromSockets, type Load, messagesOf, printReport } from '../live/messages.ts'

/**
 * `npm run bench -- replicas [--sockets 5000] [--events 200] [--seconds 60]`: two servers on three external stores, and sockets in
 * another process, half of them at each server, on the topics of `--jobs` jobs. This process appends events, so both servers receive
 * them as from another one. Prints the time from the commit of an event to its frame, memory, and processor time. `--profile FOLDER`
 * writes a processor profile of each server.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: {
    sockets: { type: 'string', default: '5000' },
    events: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '100' },
    profile: { type: 'string' },
  },
})
const load: Load = {
  jobs: Number(given.jobs),
  sockets: Number(given.sockets),
  rate: Number(given.events),
  seconds: Number(given.seconds),
}
const replicaCount = 2
/** Browsers of one user share a session in the same way. */
const pagesPerSession = 10
const targets = { p95Ms: 50, bytes: 1e9 }

const folder = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(folder, 0o711)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const stores = await startExternalStores(folder)
const servers: Replica[] = []
const sockets = fork(join(import.meta.dirname, '../live/sockets.ts'), { execArgv: [] })
try {
  await measure()
} finally {
  sockets.kill()
  for (const server of servers) await server.end('SIGTERM')
  await stores.stop()
}
process.exit()

async function measure(): Promise<void> {
  for (let i = 1; i <= replicaCount; i++) {
    const environment = serverEnvironment(stores, join(folder, `server-${i}`), await freePort())
    const nodeOptions = given.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${given.profile}`]
    servers.push(startReplica(environment, { nodeOptions }))
  }
  await Promise.all(servers.map((server) => server.ready()))
  const db = openPostgres(stores.databaseUrl)
  const nats = await openNats(stores.natsUrl, { name: 'bench', seed: stores.natsCredential })
  const stopTelling = subscribeToAppends(nats, () => {})
  await allowPages(db, load.sockets)
  await beginJobs(db, load.jobs)
  await run(db)
  stopTelling()
  await nats.close()
  await db.destroy()
}

async function run(db: Db): Promise<void> {
  const messages = messagesOf<FromSockets>(sockets)
  const started = performance.now()
  const cookies = await openSessions(db, Math.ceil(load.sockets / pagesPerSession))
  sockets.send({ type: 'open', addresses: servers.map(({ address }) => address), cookies, load })
  await messages.next()
  console.log(
    `${load.sockets} sockets at ${replicaCount} servers, opened in ${((performance.now() - started) / 1_000).toFixed(1)} s; ` +
      `${load.jobs} jobs, ${load.rate} events per second for ${load.seconds} s`,
  )
  const shares = readShares([...servers.map(({ pid }) => pid), sockets.pid ?? 0])
  const begun = performance.now()
  const { committed, versions } = await appendFor(db, load)
  const seconds = (performance.now() - begun) / 1_000
  const used = shares(seconds)
  // Waits for the last events to be delivered.
  await pause(3_000)
  sockets.send({ type: 'report', committed, versions })
  const { value: report } = await messages.next()
  if (report?.type !== 'report') throw new Error('The process with the sockets ended')
  printReport(report, committed.length / seconds, load)
  const peaks = servers.map(({ pid }) => peakMemory(pid))
  for (const [i, peak] of peaks.entries())
    console.log(`server ${i + 1}: at most ${(peak / 1e6).toFixed(0)} MB resident, ${used[i]}`)
  console.log(`the process with the sockets: ${used.at(-1)}`)
  const isGood = report.p95 < targets.p95Ms && peaks.every((peak) => peak < targets.bytes)
  console.log(`targets: p95 under ${targets.p95Ms} ms, each server under 1 GB: ${isGood ? 'met' : 'missed'}`)
  if (report.lost > 0 || report.doubled > 0) process.exitCode = 1
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

/** Cookies of new sessions of the first account. */
async function openSessions(db: Db, count: number): Promise<string[]> {
  const { id } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
  const cookies: string[] = []
  for (let i = 0; i < count; i++) cookies.push(`${sessionCookie}=${await openSession(db, id, '127.0.0.1')}`)
  return cookies
}
