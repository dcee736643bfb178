import { type BigIntStats, constants, fstat } from 'node:fs'
import { chmod, chown, link, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { constants as codes } from 'node:os'
import { promisify } from 'node:util'
import { asEntry, asPlace, closeFolder, inMemory, openFolderLater, type Root } from '../../systems/local/beneath.ts'
import { beginningOf, type DiskPath, joined, onDiskName } from '../../systems/local/paths.ts'
import { errorOf, systemCalls } from '../../systems/local/systemCalls.ts'

/*
 * Names in open folders: what they are, and how they are moved. Everything runs in the pool of threads, because a storage may hang.
 */

/** A name in an open folder. */
export type Name = { folder: number; name: string }

/** A path for Node's calls that leads to a name in an open folder. Calls such as chmod, chown and open follow a link in its last part. */
export const pathOf = ({ folder, name }: Name): DiskPath =>
  joined(beginningOf(`/proc/self/fd/${folder}`), onDiskName(name))

export const statsOf = (fd: number): Promise<BigIntStats> => promisify(fstat)(fd, { bigint: true })

/**
 * Opens a file, folder or link without its content and without following it, and gives it to `use`. Throws the error of the system: EXDEV
 * if something is mounted there.
 */
export async function withEntry<T>(
  { folder, name }: Name,
  use: (stats: BigIntStats, fd: number) => Promise<T>,
): Promise<T> {
  const fd = await openFolderLater({ fd: folder, path: '' }, `/${name}`, asEntry, true)
  try {
    return await use(await statsOf(fd), fd)
  } finally {
    closeFolder(fd)
  }
}

/** Opens a folder below another one, and creates missing ones on the way with `create`. */
export async function openCreated(root: Root, path: string, create: (at: Name) => Promise<void>): Promise<number> {
  try {
    return await openFolderLater(root, path, asPlace, true)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === '') throw error
  }
  const slash = path.lastIndexOf('/')
  const folder = await openCreated(root, path.slice(0, slash), create)
  try {
    await create({ folder, name: path.slice(slash + 1) }).catch(unless('EEXIST'))
  } finally {
    closeFolder(folder)
  }
  return openFolderLater(root, path, asPlace, true)
}

/** Creates a folder for this user alone. */
export const createPrivate = (at: Name): Promise<void> => mkdir(pathOf(at), 0o700)

/** True for a folder or file of this user that others have no access to, and that has no second name. */
export function isPrivate(stats: BigIntStats, kind: 'folder' | 'file'): boolean {
  const isKind = kind === 'folder' ? stats.isDirectory() : stats.isFile() && stats.nlink === 1n
  return isKind && Number(stats.uid) === process.geteuid?.() && (stats.mode & 0o077n) === 0n
}

/**
 * Creates a folder with the owner, group and mode of the folder that it is in, as far as that is permitted. Someone may exchange it meanwhile:
 * only what was opened is changed, if it is a new folder of this user.
 */
export async function createAlike(at: Name): Promise<void> {
  const { uid, gid, mode } = await statsOf(at.folder)
  await mkdir(pathOf(at), 0o700)
  await withEntry(at, async (stats, fd) => {
    const opened = `/proc/self/fd/${fd}`
    if (!isPrivate(stats, 'folder') || (await readdir(opened)).length > 0) return
    await chown(opened, Number(uid), Number(gid)).catch(() => {})
    // A sandbox may forbid the bits beyond those of permissions.
    const set = (bits: number) => chmod(opened, Number(mode) & bits)
    await set(0o7777).catch(() => set(0o777).catch(() => {}))
  })
}

/** Handles an error with this code by doing nothing, and throws any other. */
export const unless =
  (...expected: string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!expected.includes(error.code ?? '')) throw error
  }

/** RENAME_NOREPLACE of <linux/fs.h>. */
const noReplace = 1
/** Memory that the kernel may still read. */
const held = new Set<object>()

/** Renames without replacing anything. Throws the error of the system: EEXIST if the new name is taken. */
function renameAlone(from: Name, to: Name): Promise<void> {
  const calls = systemCalls
  if (!calls) return Promise.reject(errorOf(codes.errno.ENOSYS, 'renameat2'))
  const names = [inMemory(onDiskName(from.name)), inMemory(onDiskName(to.name))] as const
  held.add(names)
  return new Promise((renamed, failed) => {
    const [name, newName] = [calls.address(names[0]), calls.address(names[1])]
    calls.renameat2Later(from.folder, name, to.folder, newName, noReplace, (error, result) => {
      held.delete(names)
      if (error) failed(error)
      else if (result < 0) failed(calls.failure('renameat2'))
      else renamed()
    })
  })
}

/**
 * Moves a file to a new name and replaces nothing. Some file systems, such as NFS, don't rename that way. There, a file gets a second name and
 * loses the first one; `from` must be in a folder of this user alone, in which no one else can exchange it.
 */
export async function moveOut(from: Name, to: Name): Promise<void> {
  await renameAlone(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EINVAL') throw error
    await link(pathOf(from), pathOf(to))
    await unlink(pathOf(from))
  })
}

/** Same into a folder of this user alone, where no one else creates the new name. */
export async function moveIn(from: Name, to: Name): Promise<void> {
  await renameAlone(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EINVAL') throw error
    if (await exists(to)) throw errorOf(codes.errno.EEXIST, 'rename')
    await rename(pathOf(from), pathOf(to))
  })
}

/** True if there is something with this name. */
export const exists = (at: Name): Promise<boolean> =>
  withEntry(at, async () => true).catch((error: NodeJS.ErrnoException) => {
    unless('ENOENT')(error)
    return false
  })

/** Commands and values of fcntl(2). SIGURG does nothing to a process, unlike SIGIO. */
const lease = { setSignal: 10, set: 1_024, write: 1, none: 2, signal: codes.signals.SIGURG } as const

/**
 * True if a process of this machine has a file open, as far as the kernel tells: it grants a lease for writing only if no one else has. The lease
 * is returned at once. `fd` is a file that was opened as an entry.
 */
export async function isOpenElsewhere(fd: number): Promise<boolean> {
  const calls = systemCalls
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  const handle = await open(`/proc/self/fd/${fd}`, flags).catch((error: NodeJS.ErrnoException) => error.code)
  // Someone else has a lease, such as Samba for one of its clients. Without permission to read, nothing is known.
  if (typeof handle === 'string' || !handle) return handle === 'EAGAIN'
  try {
    if (!calls || calls.fcntl(handle.fd, lease.setSignal, lease.signal) < 0) return false
    if (calls.fcntl(handle.fd, lease.set, lease.write) < 0) return calls.failure('fcntl').code === 'EAGAIN'
    calls.fcntl(handle.fd, lease.set, lease.none)
    return false
  } finally {
    await handle.close()
  }
}
