import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, statfsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type * as Koffi from 'koffi'
import { CannotStart } from '#server/platform/config.ts'

/**
 * A lock that the kernel holds on a file, for as long as any process has the file open through this descriptor. A child that
 * inherits `fd` shares the lock, so it outlives this process and ends with the last of them. It also keeps out processes of other
 * containers, whose process IDs mean nothing here.
 */
export type FileLock = { fd: number; release(): void }

const flags = { exclusive: 2, nonBlocking: 4 }

/** Locks a file, which is created if it is missing and never removed. Undefined while another process holds the lock. */
export function tryLock(file: string): FileLock | undefined {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  const failure = flock(fd, flags.exclusive | flags.nonBlocking)
  if (failure === undefined) return { fd, release: () => closeSync(fd) }
  closeSync(fd)
  if (isHeldElsewhere(failure)) return undefined
  throw new CannotStart(
    `${file} can't be locked (error ${failure}): its file system has no file locks. Use a local disk.`,
  )
}

const lockFile = 'data.lock'

/**
 * Locks a data folder for this process. Throws when another product uses it, here or in another container, and, with `isEmbedded`,
 * when stores of ours would be on a network file system. The process and host in the file are for that message only.
 */
export function lockDataFolder(data: string, isEmbedded = true): FileLock {
  if (isEmbedded) refuseNetworkDisk(data)
  const file = join(data, lockFile)
  const lock = tryLock(file)
  if (!lock)
    throw new CannotStart(`DataIntell already runs on ${data}${holderOf(file)}. Stop it first, or set DATAINTELL_DATA.`)
  writeFileSync(file, ownName())
  return lock
}

/** Process and host in the lock file while this process holds the lock. */
const ownName = (): string => `process ${process.pid} on ${hostname()}`

/**
 * True if the data folder that this process locked is still the one at its path. False if another was mounted there, or a copy was
 * restored over it.
 */
export function isStillOurs(data: string, { fd }: FileLock): boolean {
  const file = join(data, lockFile)
  const [there, ours] = [statSync(file, { throwIfNoEntry: false }), fstatSync(fd)]
  return there?.ino === ours.ino && there.dev === ours.dev && readFileSync(file, 'utf8') === ownName()
}

/** True while a product holds the data folder. */
export function isRunning(data: string): boolean {
  if (statSync(join(data, lockFile), { throwIfNoEntry: false }) === undefined) return false
  const lock = tryLock(join(data, lockFile))
  lock?.release()
  return lock === undefined
}

function holderOf(file: string): string {
  const holder = readFileSync(file, 'utf8')
  return holder === '' ? '' : ` (${holder})`
}

/** Magic numbers of `statfs` (linux/magic.h and the sources of each file system). */
const networkDisks = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
])

/**
 * Locks of a network file system depend on how each machine mounted it (`nolock`, `local_lock`), so two machines could start
 * stores on the same files. Databases lose data there for other reasons, too.
 */
export function refuseNetworkDisk(data: string, type = process.platform === 'linux' ? statfsSync(data).type : 0): void {
  const name = networkDisks.get(type >>> 0)
  if (name === undefined) return
  throw new CannotStart(
    `The data folder ${data} is on a network file system (${name}), where other machines could use it at the same time. ` +
      'Set DATAINTELL_DATA to a folder on a local disk, or set DATABASE_URL, CLICKHOUSE_URL and NATS_URL.',
  )
}

const isHeldElsewhere = (errno: number): boolean => errno === (process.platform === 'darwin' ? 35 : 11)

/** Calls flock(2); returns the error number if it failed. */
function flock(fd: number, operation: number): number | undefined {
  const { call, koffi } = (loaded ??= load())
  return call(fd, operation) === 0 ? undefined : koffi.errno()
}

let loaded: ReturnType<typeof load> | undefined

function load() {
  const koffi: typeof Koffi = createRequire(import.meta.url)('koffi')
  const library = koffi.load(process.platform === 'darwin' ? 'libSystem.dylib' : 'libc.so.6')
  const call: (fd: number, operation: number) => number = library.func('flock', 'int', ['int', 'int'])
  return { koffi, call }
}
