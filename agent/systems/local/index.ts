import { hostname } from 'node:os'
import { statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { type Capacity, type Entry, type FolderSystem, NotThere } from '../system.ts'
import { isGone, reason } from './failures.ts'
import { listFolder } from './listFolder.ts'
import { nobody, type Owners, readOwners } from './owners.ts'
import { beginningOf, type DiskPath, joined, onDisk, onDiskName } from './paths.ts'
import { entryOf, readEntry } from './readEntry.ts'
import { isDeep, reach } from './reach.ts'

export { isGone, reason } from './failures.ts'

/** The file system of this machine below a folder. It answers at once, so a thread walks it as fast as the disk allows. */
export function openLocal(root: string, { withoutOwners = false } = {}): FolderSystem {
  const owners = withoutOwners ? nobody : readOwners()
  return {
    list(path) {
      const list = (folder: DiskPath) => listFolder(folder, `${path}/`, owners)
      const folder = onDisk(root, path)
      return isDeep(folder) ? reach(folder, list) : list(folder)
    },
    entry: (path) => (path === '' ? rootEntry(root, owners) : entryAt(root, path, owners)),
  }
}

/** The storage's root may be a symbolic link; what it leads to is scanned. */
function rootEntry(disk: string, owners: Owners): Entry {
  try {
    return entryOf(statSync(disk, { bigint: true }), { parentPath: '', name: '', disk }, owners)
  } catch (error) {
    throw new Error(`The storage cannot be read: ${reason(error)}`, { cause: error })
  }
}

function entryAt(root: string, path: string, owners: Owners): Entry | undefined {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const parentPath = path.slice(0, slash + 1)
  const folder = onDisk(root, path.slice(0, slash))
  const read = (near: DiskPath) => [
    readEntry({ parentPath, name, disk: joined(beginningOf(near), onDiskName(name)) }, owners),
  ]
  try {
    const [entry] = isDeep(folder) ? reach(folder, read) : read(folder)
    return entry
  } catch (error) {
    if (error instanceof NotThere) return undefined
    throw error
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
    const fileSystem = `${hostname()}:${(await stat(root)).dev}`
    return { total: blocks * bsize, used: (blocks - bfree) * bsize, free: bavail * bsize, fileSystem }
  } catch {
    return undefined
  }
}
