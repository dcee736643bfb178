import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PostgresFolders, postgresFolders } from './postgresFolders.ts'
import { findProcess, freePort, programOf } from './processes.ts'

const exec = promisify(execFile)

/** A Postgres of ours that runs, and how to reach and to stop it. */
export type LocalPostgres = { url: string; stop(): Promise<void> }

/**
 * Starts Postgres in the data folder, or finds the one that an earlier server left running. It runs in a session of its
 * own and outlives a killed server. It listens on 127.0.0.1 and asks for a password that only its owner can read.
 * `settings` are Postgres' own, such as 'fsync=off'.
 */
export async function startLocalPostgres(
  data: string,
  say: (words: string) => void,
  settings: readonly string[] = [],
): Promise<LocalPostgres> {
  mkdirSync(data, { recursive: true })
  const folders = postgresFolders(data)
  const password = readPassword(data)
  if (!existsSync(join(folders.cluster, 'PG_VERSION'))) {
    say('Creating the Postgres database')
    await initialise(folders, password)
  }
  const port = runningPort(folders) ?? (await start(folders, settings))
  return {
    url: `postgres://dataintell:${password}@127.0.0.1:${port}/postgres`,
    stop: () => program(folders, 'pg_ctl', ['stop', '-D', folders.cluster, '-m', 'fast', '-w', '-s']),
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
  await program(folders, 'initdb', ['-D', making, ...words, '--locale=C', '--no-instructions']).finally(() =>
    rmSync(passwordFile, { force: true }),
  )
  renameSync(making, cluster)
}

async function start(folders: PostgresFolders, settings: readonly string[]): Promise<number> {
  const port = await freePort()
  const ours = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'max_connections=200', `port=${port}`]
  const words = [...ours, ...settings].map((setting) => `-c ${setting}`).join(' ')
  const log = join(folders.cluster, 'postgres.log')
  await program(folders, 'pg_ctl', ['start', '-D', folders.cluster, '-l', log, '-o', words, '-w', '-s', '-t', '120'])
  return port
}

/** The port of a Postgres that already runs on the cluster. The pid file of a dead one is removed. */
function runningPort({ cluster }: PostgresFolders): number | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid, , , port, , , , status] = readFileSync(file, 'utf8').split('\n')
  const runs = findProcess(Number(pid)) !== undefined && /postgres|undefined/.test(String(programOf(Number(pid))))
  if (runs && status?.trim() === 'ready') return Number(port)
  if (!runs) rmSync(file, { force: true })
  return undefined
}

async function program({ programs, user }: PostgresFolders, name: string, words: string[]): Promise<void> {
  const env = { ...process.env, LC_ALL: 'C', LD_LIBRARY_PATH: join(programs, 'lib') }
  try {
    await exec(join(programs, 'bin', name), words, { env, cwd: '/', ...user })
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    throw new Error(`Postgres: ${name} failed. ${(stderr || stdout).trim()}`, { cause: error })
  }
}
