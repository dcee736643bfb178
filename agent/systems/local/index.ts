import { statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import type { Capacity, Entry, FolderSystem } from '../system.ts'
import { isGone, reason } from './failures.ts'
import { listFolder } from './listFolder.ts'
import { readOwners } from './owners.ts'
import { onDisk } from './paths.ts'
import { entryOf, readEntry } from './readEntry.ts'

export { reason } from './failures.ts'

/** The file system of this machine below a folder. It answers at once, so a thread walks it as fast as the disk allows. */
export function openLocal(root: string): FolderSystem {
  const owners = readOwners()
  return {
    list: (path) => listFolder(onDisk(root, path), `${path}/`, owners),
    entry(path) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const place = { parentPath: path.slice(0, path.length - name.length), name, disk: onDisk(root, path) }
      return path === '' ? rootEntry(root) : readEntry(place, owners)
    },
  }
  /** The storage's root may be a symbolic link; what it leads to is scanned. */
  function rootEntry(disk: string): Entry {
    return entryOf(statSync(disk, { bigint: true }), { parentPath: '', name: '', disk }, owners)
  }
}

/** Why a storage cannot be scanned, or nothing. Does not wait in a thread's way when a mount hangs. */
export async function whyNotScannable(root: string): Promise<string | undefined> {
  try {
    const found = await stat(root)
    return found.isDirectory() ? undefined : `${root} is not a folder`
  } catch (error) {
    return isGone(error) ? `${root} does not exist` : `${root} cannot be read: ${reason(error)}`
  }
}

/** The capacity of the file system that a folder lies on; none where it does not tell, such as /proc. */
export async function capacityOf(root: string): Promise<Capacity | undefined> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(root)
    if (blocks === 0) return undefined
    return { total: blocks * bsize, used: (blocks - bfree) * bsize, free: bavail * bsize }
  } catch {
    return undefined
  }
}
