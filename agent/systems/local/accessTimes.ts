import { realpath } from 'node:fs/promises'
import { mountOf, type Mounted, readMounts, visibleMounts } from './mounts.ts'

/** File systems whose access times the kernel of this machine updates. For network shares the file server decides. */
const ownTypes: ReadonlySet<string> = new Set('bcachefs btrfs ext2 ext3 ext4 f2fs jfs nilfs2 tmpfs xfs zfs'.split(' '))

/**
 * Returns whether reading a file of a mounted file system updates its access time, now and then at least (`relatime`). Undefined if another
 * machine decides, or if nothing can be written.
 */
export function updatesAccess({ type, options }: Pick<Mounted, 'type' | 'options'>): boolean | undefined {
  if (!ownTypes.has(type) || options.includes('ro')) return undefined
  return !options.includes('noatime')
}

/** Same for the file system of a folder; undefined if unknown. */
export async function folderUpdatesAccess(folder: string): Promise<boolean | undefined> {
  const mount = mountOf(await realpath(folder), visibleMounts(await readMounts()))
  return mount && updatesAccess(mount)
}
