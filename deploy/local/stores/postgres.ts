import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProcess, type LiveProcess, waitForEnd } from './liveProcess.ts'
import { freePort } from './freePort.ts'
import { clusterFolder, type PostgresUser, postgresUser, programsFolder } from './postgresUser.ts'

export type LocalPostgres = { url: string; pid: number; stop(): Promise<void> }

const run = promisify(execFile)
const name = 'dataintell'

/**
 * Starts Postgres on the data folder, or adopts the one that still runs there. It listens on 127.0.0.1 with a password of
 * its own, in a session of its own: it outlives this process unless it is stopped. `settings` are Postgres' own.
 */
export async function startPostgres(data: string, settings: Record<string, string> = {}): Promise<LocalPostgres> {
  const user = postgresUser()
  const folder = clusterFolder(data, user)
  const cluster = join(folder, 'cluster')
  const passwordFile = join(folder, 'password')
  const programs = programsFolder(user)
  if (!existsSync(cluster)) await initialise(programs, user, cluster, passwordFile)
  const running = findPostmaster(cluster) ?? (await start(programs, user, cluster, settings))
  const password = readFileSync(passwordFile, 'utf8')
  return {
    url: `postgres://${name}:${password}@127.0.0.1:${running.port}/postgres`,
    pid: running.pid,
    async stop() {
      await run(join(programs, 'pg_ctl'), ['stop', '-D', cluster, '-m', 'fast', '-w'], { ...user, cwd: '/' }).catch(
        () => {},
      )
      if (!(await waitForEnd(running, 30_000))) throw new Error(`Postgres (process ${running.pid}) does not end`)
    },
  }
}

/** Makes the cluster beside its place, so that one that was interrupted is begun anew. */
async function initialise(programs: string, user: PostgresUser, cluster: string, passwordFile: string): Promise<void> {
  const fresh = `${cluster}.new`
  rmSync(fresh, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const words = [`--pgdata=${fresh}`, `--username=${name}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  await run(join(programs, 'initdb'), [...words, ...locale, '--no-sync', '--no-instructions'], { ...user, cwd: '/' })
  renameSync(fresh, cluster)
}

type Postmaster = LiveProcess & { port: number }

/**
 * The Postgres that runs on a cluster. A lock file that a killed one left, whose number another process has got since, is
 * removed: Postgres would take it for its own.
 */
function findPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid, , started, port] = readFileSync(file, 'utf8').split('\n').map(Number)
  const found = findProcess(pid ?? 0)
  if (found && isPostgresOn(found.pid, cluster) && port) return { ...found, port }
  rmSync(file, { force: true })
  return undefined
}
