import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { MissingFolder } from '../system.ts'
import { whyNotStored } from './boundaries.ts'
import { type DiskEntry, giveName, type ListFolder, type ListingRest, newDiskEntry } from './diskEntry.ts'
import { isGone, reason } from './failures.ts'
import { kernelFolders } from './kernelFolders.ts'
import type { LookupPace } from './lookupPace.ts'
import { lookUp, nodeFolders } from './nodeFolders.ts'
import { beginningOf, joined, onDisk, onDiskName } from './paths.ts'
import { reach } from './reach.ts'
import { fillStatx } from './statx.ts'
import { systemCalls } from './systemCalls.ts'

export { capacityOf } from './capacity.ts'
export { isGone, reason } from './failures.ts'

/** By system calls where this machine has those of Linux, else by Node's. */
const fastest = (): ListFolder => (systemCalls ? kernelFolders(systemCalls) : nodeFolders())

/** Folders of a storage, as a scan reads them. Paths are '' for the root, else like '/a/b'. */
export type FolderSystem = {
  /**
   * Shows each entry of a folder, in any order. Throws `MissingFolder`, an error with the reason why it can't be listed to its end, or
   * the error of `show`. With a `pace`, a listing may leave a rest.
   */
  list(path: string, show: (entry: DiskEntry) => void, pace?: LookupPace): ListingRest | undefined
  /** One entry, valid until the next call; undefined if it does not exist. */
  entry(path: string): DiskEntry | undefined
}

/** The file system of this machine below a folder. It answers at once, so a thread walks it as fast as the disk allows. */
export function openLocal(root: string, list: ListFolder = fastest()): FolderSystem {
  // Not the one that a listing shows: a folder may be looked up while another is listed.
  const entry = newDiskEntry()
  return {
    list(path, show, pace) {
      // The storage's root may be a symbolic link: with the dot, what it leads to is opened.
      const folder = path === '' ? joined(beginningOf(onDisk(root, '')), '.') : onDisk(root, path)
      return reach(folder, (near) => list(near, show, pace))
    },
    entry: (path) => (path === '' ? rootEntry(root, entry) : entryAt(root, path, entry)),
  }
}

/** The storage's root may be a symbolic link; what it leads to is scanned. */
function rootEntry(root: string, entry: DiskEntry): DiskEntry {
  try {
    fillStatx(entry.stat, statSync(root, { bigint: true }))
    giveName(entry, Buffer.alloc(0))
    return entry
  } catch (error) {
    throw new Error(`The storage cannot be read: ${reason(error)}`, { cause: error })
  }
}

function entryAt(root: string, path: string, entry: DiskEntry): DiskEntry | undefined {
  const slash = path.lastIndexOf('/')
  const name = onDiskName(path.slice(slash + 1))
  try {
    const isThere = reach(onDisk(root, path.slice(0, slash)), (near) => lookUp(entry, joined(beginningOf(near), name)))
    giveName(entry, Buffer.from(name))
    return isThere ? entry : undefined
  } catch (error) {
    if (error instanceof MissingFolder) return undefined
    throw error
  }
}

/** Why a storage cannot be scanned, or nothing. Does not wait in a thread's way when a mount hangs. */
export async function whyNotScannable(root: string): Promise<string | undefined> {
  try {
    const found = await stat(root)
    return found.isDirectory() ? await whyNotStored(root) : `${root} is not a folder`
  } catch (error) {
    return isGone(error) ? `${root} does not exist` : `${root} cannot be read: ${reason(error)}`
  }
}
