import { hostname } from 'node:os'
import { statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { type Capacity, MissingFolder } from '../system.ts'
import { asPlace, closeFolder, closeRoot, openFolder, openRoot, pathOfOpen, type Root, toList } from './beneath.ts'
import { whyNotStored } from './boundaries.ts'
import {
  type DiskEntry,
  giveName,
  type ListFolder,
  type ListingRest,
  newDiskEntry,
  type OpenDiskFolder,
} from './diskEntry.ts'
import { isGone, missingOr, reason } from './failures.ts'
import { kernelFolders } from './kernelFolders.ts'
import type { LookupPace } from './lookupPace.ts'
import { lookUp, nodeFolders } from './nodeFolders.ts'
import { beginningOf, joined, onDiskName } from './paths.ts'
import { fillStatx } from './statx.ts'
import { systemCalls } from './systemCalls.ts'

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
  /** The open root. Throws if it can't be opened. */
  root(): Root
  close(): void
}

/** The file system of this machine below a folder. It answers at once, so a thread walks it as fast as the disk allows. */
export function openLocal(root: string, list: ListFolder = fastest()): FolderSystem {
  // Not the one that a listing shows: a folder may be looked up while another is listed.
  const entry = newDiskEntry()
  let opened: Root | undefined
  const openedRoot = () => (opened ??= openRoot(root))
  return {
    root: openedRoot,
    list: (path, show, pace) => listFolder(openedRoot, path, (folder) => list(folder, show, pace)),
    entry: (path) => (path === '' ? rootEntry(root, entry) : entryAt(openedRoot, path, entry)),
    close() {
      if (opened) closeRoot(opened)
      opened = undefined
    },
  }
}

type List = (folder: OpenDiskFolder) => ReturnType<ListFolder>

function listFolder(root: () => Root, path: string, list: List): ListingRest | undefined {
  const fd = openOr(path, () => openFolder(root(), path, toList))
  let rest: ReturnType<ListFolder>
  try {
    rest = list({ fd, path: pathOfOpen(root(), fd, path) })
    return rest && { ...rest, fd }
  } finally {
    if (!rest) closeFolder(fd)
  }
}

function openOr(path: string, open: () => number): number {
  try {
    return open()
  } catch (error) {
    throw missingOr(error, path)
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

function entryAt(root: () => Root, path: string, entry: DiskEntry): DiskEntry | undefined {
  const slash = path.lastIndexOf('/')
  const [above, name] = [path.slice(0, slash), onDiskName(path.slice(slash + 1))]
  let fd: number
  try {
    fd = openOr(above, () => openFolder(root(), above, asPlace))
  } catch (error) {
    if (error instanceof MissingFolder) return undefined
    throw error
  }
  try {
    const isThere = lookUp(entry, joined(beginningOf(pathOfOpen(root(), fd, above)), name))
    giveName(entry, Buffer.from(name))
    return isThere ? entry : undefined
  } finally {
    closeFolder(fd)
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

/** The capacity of the file system of a folder; undefined if it does not report one, such as /proc. */
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
