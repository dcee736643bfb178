import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import {
  closeDataFolder,
  makeOutsideFolder,
  type PostgresFolders,
  postgresFolders,
  postgresPrograms,
} from './postgresFolders.ts'
import type { FileLock } from './folderLock.ts'
import { keepRunning } from './keepRunning.ts'
import { type FindPort, portsFor } from './ports.ts'
import {
  findByCommandLine,
  findProcess,
  isAlive,
  plainEnvironment,
  type ProcessIdentity,
  titleOf,
  waitForEnd,
} from './processes.ts'
import { lockStore } from './storeLock.ts'

const exec = promisify(execFile)

/** A running Postgres of ours, and its address. */
type LocalPostgres = {
  url: string
  stop(): Promise<void>
  /** Same as `stop`, but leaves a Postgres running that ran before. */
  leave(): Promise<void>
}

/** `settings` are Postgres' own, such as 'fsync=off'. */
type Options = { settings?: readonly string[]; folders?: PostgresFolders; findPort?: FindPort }

type Place = Required<Options> & { password: string }
type Running = { process: ProcessIdentity; port: number }

/** Milliseconds for Postgres to become ready, when it replays its log, or to end. */
const timeoutMs = 120_000

/**
 * Starts Postgres on the cluster of a data folder, or finds the one that an earlier server left running. It runs in its own session,
 * outlives a killed server, and is started again whenever it dies. It listens on 127.0.0.1 and requires a password that only its
 * owner can read.
 */
export async function startLocalPostgres(
  data: string,
  say: (message: string) => void,
  { settings = [], folders = postgresFolders(data), findPort = portsFor(data, 'Postgres') }: Options = {},
): Promise<LocalPostgres> {
  mkdirSync(data, { recursive: true, mode: 0o711 })
  closeDataFolder(data, folders)
  if (folders.outside) makeOutsideFolder(data, folders)
  const place = { folders, settings, findPort, password: readPassword(data) }
  if (!existsSync(join(folders.cluster, 'PG_VERSION'))) {
    say('Creating the Postgres database')
    await initialise(place)
  }
  const held = await lockStore(lockFile(folders), () => findPostmaster(folders))
  let running = 'found' in held ? await adopt(place, held.found) : await start(place, held.lock)
  const { port } = running
  const kept = keepRunning(
    () => isAlive(running.process),
    async () => {
      const again = await lockStore(lockFile(folders), () => findPostmaster(folders))
      running = 'found' in again ? await adopt(place, again.found, port) : await start(place, again.lock, port)
    },
    join(folders.cluster, 'postgres.log'),
  )
  const end = async () => {
    await kept.stop()
    await stop(running.process)
  }
  return { url: addressOf(place, port), stop: end, leave: 'found' in held ? kept.stop : end }
}

const lockFile = ({ cluster }: PostgresFolders): string => join(dirname(cluster), 'postgres.lock')

const addressOf = ({ password }: Place, port: number): string =>
  `postgres://dataintell:${password}@127.0.0.1:${port}/postgres`

/** Password of the cluster, created at the first start and readable only by its owner. */
function readPassword(data: string): string {
  const file = join(data, 'postgres.password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** Creates the cluster next to its place and moves it there, so that an interrupted start leaves no incomplete one. */
async function initialise({ folders, password }: Place): Promise<void> {
  const { cluster, user } = folders
  const making = `${cluster}.making`
  const passwordFile = `${making}.password`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [making, passwordFile]) chownSync(path, user.uid, user.gid)
  const args = ['--username=dataintell', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  try {
    const { file, options } = program(folders, 'initdb')
    await exec(file, ['-D', making, ...args, ...locale, '--no-instructions'], options)
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(`Postgres: initdb failed. ${stderr.trim() || message}`, { cause: error })
  } finally {
    rmSync(passwordFile, { force: true })
  }
  renameSync(making, cluster)
}

/** A program of Postgres, and how to run it: as the user that owns the cluster, with nothing of our environment. */
function program(folders: PostgresFolders, name: string) {
  const programs = postgresPrograms(folders)
  const env = { ...plainEnvironment(), LC_ALL: 'C', LD_LIBRARY_PATH: join(programs, 'lib') }
  return { file: join(programs, 'bin', name), options: { env, cwd: '/', ...folders.user } }
}

/**
 * Starts Postgres, which inherits the lock of its files. Retries if the free port was taken before Postgres has it, and
 * while the shared memory of a killed one is in use by its last session.
 */
async function start(place: Place, lock: FileLock, wanted?: number): Promise<Running> {
  const { cluster } = place.folders
  disown(join(cluster, 'postmaster.pid'))
  try {
    for (const end = Date.now() + timeoutMs; ; await pause(200)) {
      const port = wanted ?? (await place.findPort(lastPort(cluster)))
      const { process, output } = await spawnPostgres(place, lock, port)
      const running = { process, port }
      if (await isReady(place, running)) return running
      if (isAlive(process)) throw notReady(place, running)
      const lastLog = output()
      if (!/pre-existing shared memory block|Address already in use/.test(lastLog) || Date.now() > end)
        throw new Error(`Postgres does not start on ${cluster}:\n${lastLog}`)
    }
  } finally {
    lock.release()
  }
}

/** The port of the last start, whose options Postgres keeps in a file. */
function lastPort(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.opts')
  const [, port] = (existsSync(file) && /"port=(\d+)"/.exec(readFileSync(file, 'utf8'))) || []
  return port === undefined ? undefined : Number(port)
}

async function spawnPostgres({ folders, settings }: Place, lock: FileLock, port: number) {
  const { cluster, user } = folders
  const ours = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', `port=${port}`]
  const { file, options } = program(folders, 'postgres')
  const args = ['-D', cluster, ...[...ours, ...settings].flatMap((setting) => ['-c', setting])]
  const logFile = join(cluster, 'postgres.log')
  const log = openSync(logFile, 'a', 0o600)
  if (user) chownSync(logFile, user.uid, user.gid)
  const logged = statSync(logFile).size
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log, lock.fd] })
  child.unref()
  closeSync(log)
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))])
  const process = { pid: child.pid ?? 0, born: findProcess(child.pid ?? 0)?.born ?? '' }
  return { process, output: () => readFileSync(logFile).subarray(logged).toString().slice(-2_000).trim() }
}

/** Waits until Postgres responds; false if it ends. */
async function isReady(place: Place, running: Running): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; isAlive(running.process); await pause(20)) {
    if ((await folderOf(place, running.port)) === place.folders.cluster) return true
    if (Date.now() > end) break
  }
  return false
}

/**
 * Folder of the cluster whose Postgres responds on the port with our password; undefined if none or another program
 * does.
 */
async function folderOf(place: Place, port: number): Promise<string | undefined> {
  const client = new Client({
    connectionString: addressOf(place, port),
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)
    return rows[0]?.folder
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Waits for a Postgres that already runs on the cluster to be ready. If it ends, or its folder was moved meanwhile, it is started
 * again, at the wanted port if there is one. What runs may be the last session of a killed Postgres; one that does not end is
 * killed.
 */
async function adopt(place: Place, found: ProcessIdentity, wanted?: number): Promise<Running> {
  const file = join(place.folders.cluster, 'postmaster.pid')
  const begun = Date.now()
  for (const end = begun + timeoutMs; isAlive(found); await pause(20)) {
    if (Date.now() > begun + sessionEndMs && isSession(found)) process.kill(found.pid, 'SIGKILL')
    const [, , , port] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    const running = { process: found, port: Number(port) }
    const folder = port && (await folderOf(place, running.port))
    if (folder === place.folders.cluster) return running
    if (folder) await stop(found)
    if (Date.now() > end) throw notReady(place, running)
  }
  const held = await lockStore(lockFile(place.folders), () => findPostmaster(place.folders))
  return 'found' in held ? adopt(place, held.found, wanted) : start(place, held.lock, wanted)
}

/** Milliseconds for the sessions of a killed Postgres to notice that, which they do at their next wait. */
const sessionEndMs = 10_000

/** True for a process of a Postgres, which gives itself a title, and false for Postgres itself. */
const isSession = ({ pid }: ProcessIdentity): boolean => titleOf(pid).startsWith('postgres: ')

const notReady = ({ folders: { cluster } }: Place, { process: { pid } }: Running): Error =>
  new Error(`Postgres (process ${pid}) on ${cluster} does not respond. Its log is ${join(cluster, 'postgres.log')}.`)

/** Greater than any process ID. */
const unusedId = 2 ** 31 - 2

/**
 * The process ID in a leftover pid file may be that of another program by now, which Postgres would take for a
 * Postgres. The rest of the file is kept: it shows Postgres whether sessions of the killed one are still running. Only
 * safe with the lock, which proves that no Postgres is running.
 */
function disown(file: string): void {
  if (!existsSync(file)) return
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [unusedId, ...rest].join('\n'))
}

const findPostmaster = ({ cluster }: PostgresFolders) => findByCommandLine(`bin/postgres -D ${cluster}`)

/** Ends the sessions and writes everything to disk. */
async function stop(running: ProcessIdentity): Promise<void> {
  if (!isAlive(running)) return
  process.kill(running.pid, 'SIGINT')
  if (!(await waitForEnd(running, timeoutMs))) throw new Error(`Postgres (process ${running.pid}) does not end`)
}
