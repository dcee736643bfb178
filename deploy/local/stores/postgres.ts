import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { closeDataFolder, type PostgresFolders, postgresFolders } from './postgresFolders.ts'
import { keepRunning } from './keepRunning.ts'
import { findByWords, freePort, isAlive, plainEnvironment, waitForEnd } from './processes.ts'

const exec = promisify(execFile)

/** A Postgres of ours that runs, and how to reach it. */
type LocalPostgres = {
  url: string
  stop(): Promise<void>
  /** As `stop`, unless it ran before we came: then another process needs it. */
  leave(): Promise<void>
}

/**
 * Starts Postgres in the data folder, or finds the one that an earlier server left running. It runs in a session of its
 * own, outlives a killed server, and is started again whenever it dies. It listens on 127.0.0.1 and asks for a password
 * that only its owner can read.
 * `settings` are Postgres' own, such as 'fsync=off'.
 */
export async function startLocalPostgres(
  data: string,
  say: (words: string) => void,
  settings: readonly string[] = [],
): Promise<LocalPostgres> {
  mkdirSync(data, { recursive: true, mode: 0o711 })
  const folders = postgresFolders(data)
  closeDataFolder(data, folders)
  const password = readPassword(data)
  if (!existsSync(join(folders.cluster, 'PG_VERSION'))) {
    say('Creating the Postgres database')
    await initialise(folders, password)
  }
  const found = await adopt(folders)
  const port = found ?? (await start(folders, settings))
  let running = findPostmaster(folders)
  const kept = keepRunning(
    () => running !== undefined && isAlive(running),
    async () => {
      if ((await adopt(folders)) === undefined) await start(folders, settings, port)
      running = findPostmaster(folders)
    },
  )
  const end = async () => {
    await kept.stop()
    await stop(folders)
  }
  return {
    url: `postgres://dataintell:${password}@127.0.0.1:${port}/postgres`,
    stop: end,
    leave: found === undefined ? end : kept.stop,
  }
}

/** The password of the cluster; made at the first start, readable by its owner alone. */
function readPassword(data: string): string {
  const file = join(data, 'postgres.password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** Makes the cluster beside its place and moves it there whole, so that an interrupted start leaves none half made. */
async function initialise(folders: PostgresFolders, password: string): Promise<void> {
  const { cluster, user } = folders
  const making = `${cluster}.making`
  const passwordFile = `${making}.password`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [making, passwordFile]) chownSync(path, user.uid, user.gid)
  const words = ['--username=dataintell', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  await program(folders, 'initdb', ['-D', making, ...words, ...locale, '--no-instructions']).finally(() =>
    rmSync(passwordFile, { force: true }),
  )
  renameSync(making, cluster)
}

async function start(folders: PostgresFolders, settings: readonly string[], wanted?: number): Promise<number> {
  const log = join(folders.cluster, 'postgres.log')
  const words = ['start', '-D', folders.cluster, '-l', log, '-w', '-s', '-t', '120']
  for (const end = Date.now() + patience; ; await pause(200)) {
    const port = wanted ?? (await freePort())
    const ours = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'max_connections=200', `port=${port}`]
    const options = [...ours, ...settings].map((setting) => `-c ${setting}`).join(' ')
    try {
      await program(folders, 'pg_ctl', [...words, '-o', options])
      return port
    } catch (error) {
      if (!willPass(log) || Date.now() > end) throw error
    }
  }
}

/**
 * Whether what kept Postgres from starting is over soon. Sessions of one that was killed end by themselves, but not before they
 * have looked up from their work; and a port that was free may be taken by another program before Postgres has it.
 */
const willPass = (log: string): boolean =>
  /pre-existing shared memory block|Address already in use/.test(readFileSync(log, 'utf8').slice(-1_000))

/** Milliseconds for Postgres to be ready, when it replays its log, or to end. */
const patience = 120_000

/** The port of the Postgres that already runs on the cluster, once it is ready; one that is ending is waited for. */
async function adopt(folders: PostgresFolders): Promise<number | undefined> {
  const { cluster } = folders
  const running = findPostmaster(folders)
  const file = join(cluster, 'postmaster.pid')
  if (!running) return void disown(file)
  for (const end = Date.now() + patience; isAlive(running); await pause(20)) {
    if (Date.now() > end)
      throw new Error(`Postgres (process ${running.pid}) runs on ${cluster} and does not become ready`)
    const [pid, , , port, , , , status] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (Number(pid) === running.pid && status?.trim() === 'ready') return Number(port)
  }
  return adopt(folders)
}

/** Greater than any process number. */
const nobody = 2 ** 31 - 2

/**
 * The number in a pid file left behind may be another program's by now, which Postgres would take for a Postgres. The rest
 * of the file stays: by it Postgres sees whether sessions of the killed one are still at work.
 */
function disown(file: string): void {
  if (!existsSync(file)) return
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [nobody, ...rest].join('\n'))
}

const findPostmaster = ({ cluster }: PostgresFolders) => findByWords(`bin/postgres -D ${cluster}`)

/** Ends the sessions and writes everything down. */
async function stop(folders: PostgresFolders): Promise<void> {
  const running = findPostmaster(folders)
  if (!running) return
  process.kill(running.pid, 'SIGINT')
  if (!(await waitForEnd(running, patience))) throw new Error(`Postgres (process ${running.pid}) does not end`)
}

async function program({ programs, user }: PostgresFolders, name: string, words: string[]): Promise<void> {
  const env = { ...plainEnvironment(), LC_ALL: 'C', LD_LIBRARY_PATH: join(programs, 'lib') }
  try {
    await exec(join(programs, 'bin', name), words, { env, cwd: '/', ...user })
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    throw new Error(`Postgres: ${name} failed. ${(stderr || stdout).trim()}`, { cause: error })
  }
}
