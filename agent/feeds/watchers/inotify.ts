import { fstatSync, readFileSync } from 'node:fs'
import { constants as codes } from 'node:os'
import { closeFolder, openFolder, type Root, toList } from '../../systems/local/beneath.ts'
import type { NotifyCalls } from './calls.ts'
import { type WatchedFolder, WatchedFolders } from './watchedFolders.ts'
import { type SeenChanges, TooManyFolders, type Watcher } from './watcher.ts'

/*
 * Watches one folder after another. Which watch is where is learned from listings alone, never from names in events: an event may be older than
 * the listing. A folder that moves says so itself; it is without a place until the folder that it moved to is listed, and found by
 * its inode there.
 */

/** Flags of inotify_init1(2): doesn't block, closes on exec. */
const initFlags = 0o4000 | 0o2_000_000
const bits = { attrib: 0x4, closeWrite: 0x8, movedFrom: 0x40, movedTo: 0x80, create: 0x100, delete: 0x200 } as const
const moveSelf = 0x800
const onlyFolders = 0x100_0000
const mask = Object.values(bits).reduce((all, bit) => all | bit, moveSelf | onlyFolders)
const [unmounted, overflow, ignored] = [0x2000, 0x4000, 0x8000]

/** Offsets in `struct inotify_event`, which is followed by a name. */
const at = { mask: 4, nameLength: 12, name: 16 } as const
const bufferBytes = 64 * 1024
/** Part of the watches of a user that is left to others. */
const reserve = 0.1
/** Time for a folder that moved to be found again. Then it has left the storage. */
const leftAfterMs = 60_000

/** Maximum number of folders that may be watched. */
export const maxWatches = (): number =>
  Math.floor(Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'latin1')) * (1 - reserve))

/** Throws the error of the system. `max` is the number of folders that may be watched. */
export function openInotify(
  calls: NotifyCalls,
  { seen, max = maxWatches() }: { seen: SeenChanges; max?: number },
): Watcher {
  const fd = calls.inotifyInit(initFlags)
  if (fd < 0) throw calls.failure('inotify_init1')
  return new Inotify(calls, fd, { seen, max })
}

class Inotify implements Watcher {
  readonly needsEachFolder = true
  readonly #calls: NotifyCalls
  readonly #fd: number
  readonly #seen: SeenChanges
  readonly #max: number
  readonly #folders = new WatchedFolders()
  /** Folders that moved, and when. */
  readonly #moved = new Map<WatchedFolder, number>()
  readonly #read: ReturnType<typeof newReader>

  constructor(calls: NotifyCalls, fd: number, { seen, max }: { seen: SeenChanges; max: number }) {
    this.#calls = calls
    this.#fd = fd
    this.#seen = seen
    this.#max = max
    this.#read = newReader(calls, fd)
  }

  drain(): void {
    this.#read((watch, event) => this.#act(watch, event))
    const leftMs = performance.now() - leftAfterMs
    for (const [folder, sinceMs] of this.#moved) if (sinceMs < leftMs) this.#remove(folder)
  }

  /** None for a folder that moved: it is listed with all below once it is found. */
  pathsOf(key: string): string[] {
    const folder = this.#folders.get(Number(key))
    const path = folder && this.#folders.pathOf(folder)
    return path === undefined ? [] : [path]
  }

  isWatched(path: string, inode: number): boolean {
    return this.#folders.at(path)?.inode === inode
  }

  watch(root: Root, path: string): void {
    const above = path.slice(0, path.lastIndexOf('/'))
    if (path !== '' && !this.#folders.at(above)) this.watch(root, above)
    const opened = openFolder(root, path, toList)
    try {
      if (this.#folders.size >= this.#max) throw new TooManyFolders()
      const watch = this.#calls.inotifyAdd(this.#fd, `/proc/self/fd/${opened}`, mask)
      if (watch < 0) throw failureOf(this.#calls)
      this.#moved.delete(this.#folders.place(watch, fstatSync(opened).ino, path))
    } finally {
      closeFolder(opened)
    }
  }

  folders(): number {
    return this.#folders.size
  }

  isWhole(): boolean {
    return true
  }

  release(): void {}

  close(): void {
    this.#calls.close(this.#fd)
  }

  #act(watch: number, event: number): void {
    if (event & overflow) return this.#seen.lost('More changed at once than the system could report')
    if (event & unmounted) return this.#seen.lost('A file system of this storage was unmounted')
    const folder = this.#folders.get(watch)
    if (!folder) return
    if (event & (ignored | moveSelf)) this.#leave(folder)
    if (event & ignored) this.#remove(folder)
    else if (event & moveSelf) this.#moved.set(folder, performance.now())
    else this.#seen.folderChanged(String(watch))
  }

  /** A folder is not where it was. The one above is listed again, which finds what is in its place now. */
  #leave(folder: WatchedFolder): void {
    if (folder.above) this.#seen.folderChanged(String(folder.above.watch))
    this.#folders.detach(folder)
  }

  #remove(folder: WatchedFolder): void {
    this.#moved.delete(folder)
    for (const watch of this.#folders.remove(folder)) this.#calls.inotifyRemove(this.#fd, watch)
  }
}

function failureOf(calls: NotifyCalls): Error {
  const failure = calls.failure('inotify_add_watch')
  return failure.errno === -codes.errno.ENOSPC ? new TooManyFolders() : failure
}

function newReader(calls: NotifyCalls, fd: number) {
  const buffer = Buffer.from(new ArrayBuffer(bufferBytes))
  const address = calls.address(buffer)
  return (act: (watch: number, event: number) => void): void => {
    for (let length = calls.read(fd, address, bufferBytes); length > 0; length = calls.read(fd, address, bufferBytes))
      for (let start = 0; start < length; start += at.name + buffer.readUInt32LE(start + at.nameLength))
        act(buffer.readInt32LE(start), buffer.readUInt32LE(start + at.mask))
  }
}
