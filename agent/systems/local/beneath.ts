import { closeSync, constants, fstat, lstatSync, open as openInPool, openSync, realpathSync } from 'node:fs'
import { constants as codes } from 'node:os'
import { promisify } from 'node:util'
import { beginningOf, type DiskPath, isDeep, joined, maxPathBytes, onDisk, onDiskName } from './paths.ts'
import { errorOf, type SystemCalls, systemCalls } from './systemCalls.ts'

/*
 * Opens folders of a storage, and nothing outside of it. Anyone who can write to a storage can replace a folder by a link at any moment, and an
 * agent often runs as root. So no path is opened as a whole: the kernel opens it below the open root and refuses links on the way (openat2); where it
 * can't, each folder is opened in the one before. Everything else happens in the folder that was opened, by a name alone.
 */

/** The open root of a storage. It may be reached by links: an administrator chose it. */
export type Root = { fd: number; path: string }

const isLinux = process.platform === 'linux'
/** Flags of <fcntl.h> that Node doesn't name: O_PATH of Linux, O_NOFOLLOW_ANY of macOS. */
const pathOnly = isLinux ? 0o10_000_000 : 0
const noLinksOnTheWay = process.platform === 'darwin' ? 0x20_000_000 : 0
const linksRefused = constants.O_NOFOLLOW | noLinksOnTheWay

/** Flags to open a folder: to list it, or as the place of names, which needs no permission to list. */
export const toList = constants.O_RDONLY | constants.O_DIRECTORY
export const asPlace = pathOnly | constants.O_DIRECTORY
/** Flags to look at a file, folder or link without opening its content. */
export const asEntry = pathOnly | constants.O_NOFOLLOW

const resolve = { noMounts: 1, noLinks: 4, beneath: 8 } as const
const closeOnExec = 0o2_000_000

/** `struct open_how` of openat2(2), in memory of its own. */
export function openHow(flags: number, noMounts = false): BigUint64Array<ArrayBuffer> {
  const how = new BigUint64Array(new ArrayBuffer(24))
  how[0] = BigInt(flags | closeOnExec)
  how[2] = BigInt(resolve.noLinks | resolve.beneath | (noMounts ? resolve.noMounts : 0))
  return how
}

/** A relative path for calls of the kernel: it ends with a 0, in memory of its own. */
export function inMemory(path: DiskPath): Buffer {
  const memory = Buffer.from(new ArrayBuffer(Buffer.byteLength(path) + 2))
  write(memory, path)
  return memory
}

/** Writes a path; the root is '.'. */
const write = (memory: Buffer, path: DiskPath): number =>
  path.length === 0 ? memory.write('.') : typeof path === 'string' ? memory.write(path) : path.copy(memory)

/** Memory for the calls of this thread, which are made one after another. */
const memory = Buffer.from(new ArrayBuffer(maxPathBytes + 2))
const [howToList, howAsPlace] = [openHow(toList), openHow(asPlace)]

/** Undefined where the kernel is older than 5.6, a container forbids openat2, or the system is another one. */
const kernel = systemCalls && knowsOpenat2(systemCalls) ? systemCalls : undefined

function knowsOpenat2(calls: SystemCalls): boolean {
  const fd = openSync('/', toList)
  const result = openWith(calls, fd, '', toList)
  closeSync(fd)
  return result >= 0 && calls.close(result) === 0
}

function openWith(calls: SystemCalls, folder: number, path: DiskPath, flags: number): number {
  memory[write(memory, path)] = 0
  const how = flags === toList ? howToList : howAsPlace
  return calls.openat2(folder, calls.address(memory), calls.address(how), how.byteLength)
}

/** The root may be a link: with the dot, its target is opened. */
export const rootOnDisk = (path: string): DiskPath => joined(beginningOf(onDisk(path, '')), '.')

/** Opens the root of a storage. Throws the error of the system. */
export const openRoot = (path: string): Root => ({
  fd: openSync(rootOnDisk(path), asPlace),
  path: isLinux ? path : realpathSync(path),
})
export const closeRoot = ({ fd }: Root): void => closeSync(fd)

/** A path for Node's calls that leads to an open folder. Only Linux has one that stays right when the folder moves. */
export const pathOfOpen = (root: Root, fd: number, path: string): DiskPath =>
  isLinux ? `/proc/self/fd/${fd}` : onDisk(root.path, path)

/** Closes a folder that was opened below a root. */
export const closeFolder = (fd: number): void => void (kernel ? kernel.close(fd) : closeSync(fd))

/**
 * Opens a folder of a storage in this thread, `''` for its root; the caller closes it with `closeFolder`. Throws the error of the system; ELOOP
 * if a folder on the way is a link.
 */
export function openFolder(root: Root, path: string, flags: number): number {
  let { fd } = root
  const pieces = piecesOf(root, path)
  for (const [n, piece] of pieces.entries()) {
    const above = fd
    const wanted = n === pieces.length - 1 ? flags : asPlace
    try {
      fd = kernel ? openBelow(kernel, above, piece, wanted) : openStep(above, piece, wanted)
    } finally {
      if (above !== root.fd) closeFolder(above)
    }
  }
  return fd
}

function openBelow(calls: SystemCalls, folder: number, path: DiskPath, flags: number): number {
  const fd = openWith(calls, folder, path, flags)
  if (fd < 0) throw calls.failure('openat2')
  return fd
}

const stepAt = (folder: number, name: DiskPath): DiskPath =>
  isLinux ? joined(`/proc/self/fd/${folder}/`, name.length === 0 ? '.' : name) : name

function openStep(folder: number, name: DiskPath, flags: number): number {
  try {
    return openSync(stepAt(folder, name), flags | linksRefused)
  } catch (error) {
    throw orLink(error, stepAt(folder, name))
  }
}

/** Without openat2, a link in the place of a folder is only "not a directory". */
function orLink(error: unknown, path: DiskPath): unknown {
  const isLink =
    (error as NodeJS.ErrnoException).code === 'ENOTDIR' &&
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? errorOf(codes.errno.ELOOP, 'open') : error
}

/** Same as `openFolder`, in the pool of threads. `noMounts`: EXDEV if a file system is mounted on the way. */
export async function openFolderLater(root: Root, path: string, flags: number, noMounts = false): Promise<number> {
  let { fd } = root
  const pieces = piecesOf(root, path)
  for (const [n, piece] of pieces.entries()) {
    const above = fd
    const wanted = n === pieces.length - 1 ? flags : asPlace
    try {
      fd = await (kernel
        ? openBelowLater(kernel, above, piece, openHow(wanted, noMounts))
        : openStepLater(above, piece, wanted))
    } finally {
      if (above !== root.fd) closeFolder(above)
    }
  }
  if (kernel || !noMounts || (await isOn(root.fd, fd))) return fd
  closeFolder(fd)
  throw errorOf(codes.errno.EXDEV, 'open')
}

/** True if a folder is on the file system of another. */
async function isOn(root: number, folder: number): Promise<boolean> {
  const [one, other] = await Promise.all([root, folder].map((fd) => promisify(fstat)(fd)))
  return one?.dev === other?.dev
}

/** Memory that the kernel may still read. */
const held = new Set<object>()

function openBelowLater(calls: SystemCalls, folder: number, path: DiskPath, how: BigUint64Array): Promise<number> {
  const name = inMemory(path)
  const call = { name, how }
  held.add(call)
  return new Promise((opened, failed) => {
    calls.openat2Later(folder, calls.address(name), calls.address(how), how.byteLength, (error, fd) => {
      held.delete(call)
      if (error) failed(error)
      else if (fd < 0) failed(calls.failure('openat2'))
      else opened(fd)
    })
  })
}

async function openStepLater(folder: number, name: DiskPath, flags: number): Promise<number> {
  try {
    return await promisify(openInPool)(stepAt(folder, name), flags | linksRefused)
  } catch (error) {
    throw orLink(error, stepAt(folder, name))
  }
}

/** The parts of a path to open one in the other: as long as the kernel takes them, else single names. */
function piecesOf(root: Root, path: string): DiskPath[] {
  if (!isLinux) return [onDisk(root.path, path)]
  const whole = onDiskName(path.slice(1))
  if (kernel && !isDeep(whole)) return [whole]
  const bytes = Buffer.from(whole)
  const pieces: Buffer[] = []
  for (let from = 0; from <= bytes.length;) {
    const rest = bytes.length - from
    const end = kernel
      ? rest < maxPathBytes
        ? bytes.length
        : bytes.lastIndexOf('/', from + maxPathBytes)
      : bytes.indexOf('/', from)
    const to = end < from ? bytes.length : end
    pieces.push(bytes.subarray(from, to))
    from = to + 1
  }
  return pieces
}
