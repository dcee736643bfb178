import { stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Capacity } from '../system.ts'
import { fileSystemId, isSamePool, lookAt, poolOf } from './boundaries.ts'
import { mountOf, type Mounted, visibleMounts } from './mounts.ts'

type Sizes = Omit<Capacity, 'fileSystem'>

/** The capacity of the file system of a folder; undefined if it does not report one, such as /proc. */
export async function capacityOf(root: string): Promise<Capacity | undefined> {
  try {
    const own = await sizesOf(root)
    if (!own) return undefined
    const { realPath, mounts } = await lookAt(root)
    const { fileSystem, ...sizes } = await diskOf(own, realPath, mounts)
    return { ...sizes, fileSystem: `${hostname()}:${fileSystem ?? (await stat(root)).dev}`.slice(0, maxIdLength) }
  } catch {
    return undefined
  }
}

/** Characters of an ID that the server takes. */
const maxIdLength = 512

async function sizesOf(folder: string): Promise<Sizes | undefined> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  return blocks === 0 ? undefined : { total: blocks * bsize, used: (blocks - bfree) * bsize, free: bavail * bsize }
}

/**
 * The disk of a folder without symbolic links, whose `own` sizes are those of its file system. Its ID is the same for all parts of the
 * disk that have a device of their own: subvolumes of a btrfs, and exports of one file system of a server. Datasets of a ZFS pool
 * share what is free, and each has its own used bytes: the disk has those of all that are mounted. A dataset with a quota or a
 * reservation has other free bytes, and is a disk of its own. Without a known mount, there is no ID.
 */
export async function diskOf(
  own: Sizes,
  realPath: string,
  mounts: readonly Mounted[],
  sizesAt: typeof sizesOf = sizesOf,
): Promise<Sizes & { fileSystem?: string }> {
  const visible = visibleMounts(mounts)
  const mount = mountOf(realPath, visible)
  if (!mount) return own
  if (mount.type !== 'zfs') {
    const names = mounts.filter(({ device }) => device === mount.device).map(fileSystemId)
    return { ...own, fileSystem: names.sort()[0] ?? fileSystemId(mount) }
  }
  const pool = poolOf(mount)
  const points = new Map(visible.filter((each) => isSamePool(each, mount)).map(({ source, point }) => [source, point]))
  const datasets = new Map<string, Sizes>([[mount.source, own]])
  for (const [source, point] of points) {
    const sizes = source === mount.source ? own : await sizesAt(point).catch(() => undefined)
    if (sizes) datasets.set(source, sizes)
  }
  const free = datasets.get(pool)?.free ?? Math.max(...[...datasets.values()].map((each) => each.free))
  // Others write meanwhile.
  const isShared = (each: Sizes) => Math.abs(each.free - free) <= free / 100
  if (!isShared(own)) return { ...own, fileSystem: mount.source }
  const used = [...datasets.values()].filter(isShared).reduce((sum, each) => sum + each.used, 0)
  return { total: used + own.free, used, free: own.free, fileSystem: `zfs ${pool}` }
}
