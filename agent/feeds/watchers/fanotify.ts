import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { nameFromBytes } from '#events/contract/fileNames.ts'
import { isWithin } from '../../systems/local/mounts.ts'
import type { NotifyCalls } from './calls.ts'
import type { SeenChanges, Watcher } from './watcher.ts'

/*
 * Watches whole file systems. The kernel names the folder of each change by a file handle, and joins all changes of a folder that were not read
 * yet, so that a million writes to a folder are one event. A handle names a folder wherever it is moved, so its path is only looked up when
 * the folder is listed. Needs CAP_SYS_ADMIN for the mark, and CAP_DAC_READ_SEARCH to open handles.
 */

/** Flags of fanotify_init(2): doesn't block, closes on exec, names folders. */
const initFlags = 0x1 | 0x2 | 0x400
const addToFileSystem = 0x1 | 0x100
const bits = { attrib: 0x4, closeWrite: 0x8, movedFrom: 0x40, movedTo: 0x80, create: 0x100, delete: 0x200 } as const
const overflow = 0x4000
const onFolder = 0x4000_0000
const mask = Object.values(bits).reduce((all, bit) => all | bit, onFolder)
const currentFolder = -100

/** Offsets in `struct fanotify_event_metadata`, whose end is followed by the head of the handle, the ID of the file system, and the handle. */
const at = { metadataLength: 6, mask: 8 } as const
const handleOffset = 12
const headBytes = 24
const bufferBytes = 64 * 1024
const maxHandleBytes = 128
/** Folders that are known to be outside of the storage. */
const maxOutside = 100_000

/** A folder of this machine with a file system of the storage, and its path in the storage. */
type Place = { folder: string; path: string }

type Options = {
  places: readonly Place[]
  /** True for paths that a scan leaves out. */
  leavesOut: (path: string) => boolean
  seen: SeenChanges
}

/** Throws the error of the system if the kernel or the file system has no such events, or this process not the rights. */
export function openFanotify(calls: NotifyCalls, { places, leavesOut, seen }: Options): Watcher {
  const fd = calls.fanotifyInit(initFlags, constants.O_RDONLY)
  if (fd < 0) throw calls.failure('fanotify_init')
  try {
    for (const { folder } of places) markFileSystem(calls, fd, folder)
  } catch (error) {
    calls.close(fd)
    throw error
  }
  const marks = marksOf(fd)
  const events = newEvents(calls, fd)
  const handles = newHandles(calls, places)
  const outside = new Set<string>()
  return {
    needsEachFolder: false,
    drain() {
      const { keys, haveFoldersMoved, isOverflow } = events.read()
      // One of them may have moved into the storage, or out of a folder that is left out.
      if (haveFoldersMoved || outside.size > maxOutside) outside.clear()
      for (const key of keys) if (!outside.has(key)) seen.folderChanged(key)
      if (isOverflow) seen.lost('More changed at once than the system could report')
    },
    pathsOf(key) {
      const found = handles.find(key)
      if (!Array.isArray(found)) return found === 'gone' ? [] : undefined
      const included = found.filter((path) => !leavesOut(path))
      if (included.length === 0) outside.add(key)
      return included
    },
    isWatched: () => true,
    watch: () => {},
    folders: () => 0,
    isWhole: () => marksOf(fd) === marks,
    release: handles.release,
    close() {
      handles.release()
      calls.close(fd)
    },
  }
}

function markFileSystem(calls: NotifyCalls, fd: number, folder: string): void {
  if (calls.fanotifyMark(fd, addToFileSystem, mask, currentFolder, folder) < 0) throw calls.failure('fanotify_mark')
  const handle = newHandle()
  const mount = new Int32Array(new ArrayBuffer(4))
  if (calls.nameToHandle(currentFolder, folder, calls.address(handle), calls.address(mount), 0) < 0)
    throw calls.failure('name_to_handle_at')
  const place = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  const opened = calls.openByHandle(place, calls.address(handle), constants.O_DIRECTORY)
  const failure = opened < 0 ? calls.failure('open_by_handle_at') : undefined
  closeSync(place)
  if (failure) throw failure
  calls.close(opened)
}

function newHandle(): Buffer {
  const handle = Buffer.from(new ArrayBuffer(8 + maxHandleBytes))
  handle.writeUInt32LE(maxHandleBytes)
  return handle
}

/** A mark is gone with the file system that it is on. */
const marksOf = (fd: number): number => readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1').split('fanotify sdev').length

/** Reads events. A key is the handle of a folder, one character for each byte. */
function newEvents(calls: NotifyCalls, fd: number) {
  const buffer = Buffer.from(new ArrayBuffer(bufferBytes))
  const address = calls.address(buffer)
  const folderMoved = bits.movedFrom | bits.movedTo
  return {
    read() {
      const keys = new Set<string>()
      let all = 0
      let haveFoldersMoved = false
      for (let length = calls.read(fd, address, bufferBytes); length > 0; length = calls.read(fd, address, bufferBytes))
        for (let start = 0; start + headBytes <= length;) {
          const end = start + buffer.readUInt32LE(start)
          const event = buffer.readUInt32LE(start + at.mask)
          const handle = start + buffer.readUInt16LE(start + at.metadataLength) + handleOffset
          all |= event
          haveFoldersMoved ||= (event & onFolder) !== 0 && (event & folderMoved) !== 0
          if (handle < end) keys.add(buffer.toString('latin1', handle, handle + 8 + buffer.readUInt32LE(handle)))
          start = end
        }
      return { keys, haveFoldersMoved, isOverflow: (all & overflow) !== 0 }
    },
  }
}

/** Finds folders by their handles, in each file system of the storage: a handle of another one is unknown there. */
function newHandles(calls: NotifyCalls, places: readonly Place[]) {
  const memory = newHandle()
  const address = calls.address(memory)
  let opened: number[] | undefined
  const open = ({ folder }: Place) => openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  const pathIn = (place: number): string | undefined => {
    const fd = calls.openByHandle(place, address, constants.O_DIRECTORY)
    if (fd < 0) return undefined
    try {
      return nameFromBytes(pathOfFolder(fd))
    } finally {
      calls.close(fd)
    }
  }
  const pathInStorage = (path: string | undefined, { folder, path: inStorage }: Place): string[] => {
    if (path === undefined || !isWithin(path, folder)) return []
    const rest = path.slice(folder === '/' ? 0 : folder.length)
    return [inStorage + (rest === '/' ? '' : rest)]
  }
  return {
    find(key: string): string[] | 'gone' | 'moving' {
      memory.write(key, 'latin1')
      try {
        opened ??= places.map(open)
        const found = opened.map(pathIn)
        if (found.every((path) => path === undefined)) return 'gone'
        return places.flatMap((place, n) => pathInStorage(found[n], place))
      } catch {
        return 'moving'
      }
    },
    release() {
      for (const fd of opened ?? []) closeSync(fd)
      opened = undefined
    },
  }
}

/** Returns the path of an open folder, also one that is too long for the kernel. Throws the error of the system. */
function pathOfFolder(fd: number): Buffer {
  const own = Buffer.from(`/proc/self/fd/${fd}`)
  try {
    return readlinkSync(own, 'buffer')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error
  }
  const above = openSync(`/proc/self/fd/${fd}/..`, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return Buffer.concat([pathOfFolder(above), slash, nameIn(above, fstatSync(fd).ino)])
  } finally {
    closeSync(above)
  }
}

const slash = Buffer.from('/')

/** Name of the folder with an inode in an open folder. */
function nameIn(fd: number, inode: number): Buffer {
  const folder = Buffer.from(`/proc/self/fd/${fd}/`)
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory()) continue
    const name = entry.name as unknown as Buffer
    if (lstatSync(Buffer.concat([folder, name])).ino === inode) return name
  }
  throw Object.assign(new Error('ENOENT: the folder was moved'), { code: 'ENOENT' })
}
