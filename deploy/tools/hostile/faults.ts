import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { streams } from '#events/subjects.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { openDatabase, openMessages } from './product.ts'
import { processNames, type Site } from './site.ts'

/** Something that goes wrong and is over when the promise resolves. Returns what it did. */
export type Fault = (site: Site, random: Random) => Promise<string>

/** Kills a process at once. Others start it again, except for the server, as its supervisor would. */
const kill: Fault = async (site, random) => {
  const name = random.pick(processNames)
  if (name === 'server') {
    await site.killServer()
    await pause(random.below(2_000))
    await site.startServer()
  } else send(site.pids()[name], 'SIGKILL')
  return `kill ${name}`
}

/** Stops a process for a while; rarely longer than the lease of a task. */
const freeze: Fault = async (site, random) => {
  const name = random.pick(processNames)
  const seconds = random.pick([1, 2, 4, 8, 15, 70])
  const pid = site.pids()[name]
  send(pid, 'SIGSTOP')
  await pause(seconds * 1_000)
  send(pid, 'SIGCONT')
  return `freeze ${name} for ${seconds} s`
}

/** Loses all messages of a stream, as on a disk that lost its last writes. */
const loseMessages: Fault = async ({ data }, random) => {
  const stream = random.pick(Object.values(streams))
  const nats = await openMessages(data)
  try {
    const { purged } = await nats.jsm.streams.purge(stream)
    return `lose ${purged} messages of ${stream}`
  } finally {
    await nats.close()
  }
}

/** Closes all connections to Postgres. */
const cutConnections: Fault = async ({ data }) => {
  const { db, close } = await openDatabase(data)
  try {
    const { rows } = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(db)
    return `cut ${rows.length} connections to Postgres`
  } finally {
    await close()
  }
}

const chunk = Buffer.alloc(1024 ** 2)

/** Fills the disk of the data folder for some seconds. */
const fillDisk: Fault = async ({ data }, random) => {
  const seconds = 1 + random.below(12)
  const ballast = join(data, 'ballast')
  const file = openSync(ballast, 'w')
  try {
    while (statfsSync(data).bavail > 0) writeSync(file, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  await pause(seconds * 1_000)
  rmSync(ballast)
  return `full disk for ${seconds} s`
}

/** Faults of a round, without a full disk if the data folder is on a disk that others use. */
export const faultsOf = (hasOwnDisk: boolean): Fault[] => [
  kill,
  kill,
  freeze,
  freeze,
  loseMessages,
  cutConnections,
  ...(hasOwnDisk ? [fillDisk] : []),
]

/** Does nothing if the process has ended, as a nats-server that was frozen for too long. */
function send(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
