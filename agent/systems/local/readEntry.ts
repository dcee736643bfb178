import { type BigIntStats, constants, type Dirent, lstatSync, readlinkSync, type StatSyncOptions } from 'node:fs'
import { nameFromBytes } from '#events/scans/names.ts'
import type { Entry } from '../system.ts'
import { isGone, reason } from './failures.ts'
import type { Owners } from './owners.ts'
import type { DiskPath } from './paths.ts'

const quietly = { bigint: true, throwIfNoEntry: false } as const satisfies StatSyncOptions

/** Where an entry lies: on the wire, and on the disk. */
export type Location = { parentPath: string; name: string; disk: DiskPath }
/** What a listing tells of an entry. */
type ListedKind = Pick<Dirent, 'isDirectory' | 'isSymbolicLink' | 'isFile'>

/**
 * Looks one entry up without following it; undefined when it vanished. Numbers are read as bigint: inodes and times of
 * some file systems are beyond what a double holds, and it costs the same.
 */
export function readEntry(location: Location, owners: Owners, listed?: ListedKind): Entry | undefined {
  try {
    const stats = lstatSync(location.disk, quietly)
    return stats && entryOf(stats, location, owners)
  } catch (error) {
    return isGone(error) ? undefined : unknownEntry(location, kindOf(listed), reason(error))
  }
}

/** Numbers of inodes use all 64 bits on shares of the network, and Node shows the upper half of them as negative. */
export function entryOf(stats: BigIntStats, { parentPath, name, disk }: Location, owners: Owners): Entry {
  const mode = Number(stats.mode)
  const kind = mode & constants.S_IFMT
  return {
    parentPath,
    name,
    isDirectory: kind === constants.S_IFDIR,
    size: exact(stats.size),
    allocatedSize: Number(stats.blocks) * 512,
    linkCount: Number(stats.nlink),
    device: exact(BigInt.asUintN(64, stats.dev)),
    inode: exact(BigInt.asUintN(64, stats.ino)),
    owner: owners.user(Number(stats.uid)),
    group: owners.group(Number(stats.gid)),
    mode,
    linkTarget: kind === constants.S_IFLNK ? targetOf(disk) : '',
    created: seconds(stats.birthtimeNs),
    modified: seconds(stats.mtimeNs),
    accessed: seconds(stats.atimeNs),
  }
}

/** What the listing alone tells of an entry that cannot be looked up. */
const unknownEntry = ({ parentPath, name }: Location, kind: number, error: string): Entry => ({
  parentPath,
  name,
  isDirectory: kind === constants.S_IFDIR,
  size: -1,
  allocatedSize: -1,
  linkCount: 1,
  device: 0,
  inode: 0,
  owner: '',
  group: '',
  mode: kind,
  linkTarget: '',
  created: 0,
  modified: 0,
  accessed: 0,
  error,
})

function kindOf(listed?: ListedKind): number {
  if (listed?.isDirectory()) return constants.S_IFDIR
  return listed?.isSymbolicLink() ? constants.S_IFLNK : listed?.isFile() ? constants.S_IFREG : 0
}

function targetOf(disk: DiskPath): string {
  try {
    return nameFromBytes(readlinkSync(disk, { encoding: 'buffer' }))
  } catch {
    return ''
  }
}

const exact = (value: bigint): number | bigint => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value)

const aSecond = 1_000_000_000n
/** Whole seconds, rounded down also before 1970. */
const seconds = (nanoseconds: bigint): number =>
  Number(nanoseconds / aSecond) - (nanoseconds < 0n && nanoseconds % aSecond !== 0n ? 1 : 0)
