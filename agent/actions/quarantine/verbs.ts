import type { BigIntStats } from 'node:fs'
import { unlink } from 'node:fs/promises'
import type { PlannedFile } from '#events/actions/files.ts'
import type { QuarantineOrder } from '#events/actions/orders.ts'
import { isInQuarantine, quarantineFolder } from '#events/scans/notEntered.ts'
import { plausibleTime } from '#events/scans/plausibleTime.ts'
import { asPlace, closeFolder, openFolderLater } from '../../systems/local/beneath.ts'
import {
  createAlike,
  createPrivate,
  isOpenElsewhere,
  moveIn,
  moveOut,
  type Name,
  openCreated,
  pathOf,
  withEntry,
} from './entries.ts'
import { namesIn, openIncluded } from '../../systems/local/inFolder.ts'
import { reason } from '../../systems/local/index.ts'
import { isDeep, onDiskName } from '../../systems/local/paths.ts'
import { seconds } from '../../systems/local/statx.ts'
import { ShownError } from '../../systems/system.ts'
import type { Manifest, MovedFile } from './manifest.ts'
import type { Storage } from './places.ts'

/** An opened run: its storage, and the quarantine with the manifest as far as they exist. */
export type Run = {
  order: QuarantineOrder
  storage: Storage
  quarantine: number | undefined
  manifest?: Manifest | undefined
}

/** A file is left alone. The message is the reason for users. */
class Refused extends ShownError {}

/** The reason for users why a file was not moved or deleted. */
export function reasonFor(error: unknown): string {
  if (error instanceof ShownError) return error.message
  const { code = '' } = error as NodeJS.ErrnoException
  return reasons[code] ?? `The file system refused it: ${reason(error)}`
}

const reasons: Record<string, string> = {
  ENOENT: 'The file no longer exists',
  ENOTDIR: 'A folder of its path is now a file',
  ELOOP: 'A folder of its path is now a link',
  EXDEV: 'It is on another file system than the root of its storage, or has another disk quota',
  EBUSY: 'Something is mounted there',
  EACCES: 'The agent has no permission',
  EPERM: 'The agent has no permission, or the file is immutable',
  EROFS: 'The file system is read-only',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
}

/** Place of a file in its storage, or in quarantine: the path of its folder and its name. */
type Place = { folder: string; name: string }

const placeOf = ({ pathInStorage: path }: PlannedFile): Place => {
  const slash = path.lastIndexOf('/')
  return { folder: path.slice(0, slash), name: path.slice(slash + 1) }
}

/** Place of a file in the folder of a quarantine. */
export const placeIn = ({ order }: Pick<Run, 'order'>, file: PlannedFile): Place => {
  const { folder, name } = placeOf(file)
  return { folder: `/${order.run}${folder}`, name }
}

/** Gives a file in its storage to `use`. Throws `Refused` for one that the agent must never touch, or the error of the system. */
async function inStorage<T>({ storage }: Run, file: PlannedFile, use: (at: Name) => Promise<T>): Promise<T> {
  requireAllowed(storage, file)
  const { folder: path, name } = placeOf(file)
  const folder = await openIncluded(storage.root, path)
  try {
    return await use({ folder, name })
  } finally {
    closeFolder(folder)
  }
}

function requireAllowed({ missing, realPath }: Storage, { pathInStorage: path, inode }: PlannedFile): void {
  namesIn(path)
  if (isInQuarantine(realPath + path)) throw new Refused('It is in a quarantine')
  const variable = missing(path)
  if (variable) throw new Refused(`${variable} of the agent does not include its folder`)
  if (inode === undefined) throw new Refused('Its inode is unknown. Update the server')
}

function isAllowed(storage: Storage, file: PlannedFile): boolean {
  try {
    requireAllowed(storage, file)
    return true
  } catch {
    return false
  }
}

/** Gives a file in quarantine to `use`. Throws an error of the system. */
async function inQuarantine<T>(run: Run, file: PlannedFile, use: (at: Name) => Promise<T>): Promise<T> {
  requireAllowed(run.storage, file)
  const { folder: path, name } = placeIn(run, file)
  if (run.quarantine === undefined) throw Object.assign(new Error('no quarantine'), { code: 'ENOENT' })
  const folder = await openFolderLater({ fd: run.quarantine, path: '' }, path, asPlace, true)
  try {
    return await use({ folder, name })
  } finally {
    closeFolder(folder)
  }
}

const inodeOf = ({ ino }: BigIntStats): bigint => BigInt.asUintN(64, ino)

const isPlanned = (stats: BigIntStats, { inode }: PlannedFile): boolean =>
  stats.isFile() && String(inodeOf(stats)) === inode

/** Returns the state of a file in its storage if it is still as planned. Throws `Refused` with the difference, or an error of the system. */
export const lookAtSource = (run: Run, file: PlannedFile): Promise<MovedFile> =>
  inStorage(run, file, (at) => requirePlanned(run, file, at))

function requirePlanned(run: Run, file: PlannedFile, at: Name): Promise<MovedFile> {
  const { storage, order } = run
  const { pathInStorage: path, links = 0 } = file
  if (isDeep(onDiskName(`${quarantineFolder}/${order.run}${path}`)))
    throw new Refused('Its path is so long that a shell could not put it back')
  return withEntry(at, async (stats, fd) => {
    requireSame(file, stats)
    if (stats.dev !== storage.device) throw new Refused(reasons['EXDEV'] as string)
    if (stats.nlink !== BigInt(links))
      throw new Refused(`It has ${stats.nlink} hard links, of which ${links} are planned`)
    // The move of a hard link changes the time of the others.
    if (links === 1 && stats.ctimeNs > BigInt(order.scannedAt) * 1_000_000n)
      throw new Refused('Its name, owner or permissions were changed after the scan. Scan it again')
    await requireUnused(storage, fd)
    return { path, inode: inodeOf(stats), size: stats.size, mtimeNs: stats.mtimeNs }
  })
}

function requireSame(file: PlannedFile, stats: BigIntStats): void {
  if (!stats.isFile()) throw new Refused('This is not a file, but a folder, a link or a device')
  if (!isPlanned(stats, file)) throw new Refused('Another file has taken its place since the scan')
  if (Number(stats.size) !== file.size) throw new Refused(`It has ${stats.size} bytes instead of ${file.size}`)
  const modified = plausibleTime(Number(seconds(stats.mtimeNs)), Date.now() / 1_000)
  if (modified === 0) throw new Refused('Its modification date is unknown, so that a change would not be noticed')
  if (modified !== Math.floor(file.modified)) throw new Refused('It was modified since the scan')
}

async function requireUnused({ knowsOpenFiles }: Storage, fd: number): Promise<void> {
  if (knowsOpenFiles && (await isOpenElsewhere(fd))) throw new Refused('A program has the file open')
}

/** Moves a file that is still as `before` to quarantine. If it turns out that another one was moved, that one is put back. */
export async function moveFile(run: Run, file: PlannedFile, before: MovedFile): Promise<void> {
  await inStorage(run, file, async (from) => {
    const now = await requirePlanned(run, file, from)
    if (now.mtimeNs !== before.mtimeNs) throw new Refused('It was modified at this moment')
    const { folder: path, name } = placeIn(run, file)
    const folder = await openCreated({ fd: run.quarantine as number, path: '' }, path, createPrivate)
    try {
      const to = { folder, name }
      await moveIn(from, to).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw new Refused('A file of this name is already in quarantine')
        // A request that a network file system repeats may fail after the first one has moved the file.
        if (!(await isAt(lookFor(file)(to)))) throw error
      })
      await checkMoved(run, to, before).catch((error: unknown) => giveBack(to, from, reasonFor(error)))
    } finally {
      closeFolder(folder)
    }
  })
}

const checkMoved = ({ storage }: Run, at: Name, { inode, size, mtimeNs }: MovedFile): Promise<void> =>
  withEntry(at, async (stats, fd) => {
    if (inodeOf(stats) !== inode) throw new Refused('Another file took its place at this moment')
    if (stats.size !== size || stats.mtimeNs !== mtimeNs) throw new Refused('It was modified at this moment')
    await requireUnused(storage, fd)
  })

async function giveBack(at: Name, to: Name, why: string): Promise<never> {
  await moveOut(at, to).catch((error: unknown) => {
    throw new Refused(`${why}. What was moved stays in quarantine, since it can't be put back: ${reason(error)}`)
  })
  throw new Refused(why)
}

/** Puts a file back from quarantine, replacing nothing. Missing folders are created. */
export async function putBackFile(run: Run, file: PlannedFile): Promise<void> {
  const isBack = () => isAtSource(run, file)
  await inQuarantine(run, file, async (from) => {
    await withEntry(from, async (stats) => requireInQuarantine(stats, file))
    const { folder: path, name } = placeOf(file)
    const folder = await openCreated(run.storage.root, path, createAlike)
    try {
      await moveOut(from, { folder, name }).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        // An interrupted script of the manifest leaves both names of the file.
        if (await isBack()) return unlink(pathOf(from))
        throw new Refused(`There is something else at ${file.path} now. Move it away, then put the file back again`)
      })
    } finally {
      closeFolder(folder)
    }
  }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    if (!(await isBack())) throw new Refused('It is no longer in quarantine')
  })
}

function requireInQuarantine(stats: BigIntStats, file: PlannedFile): void {
  if (!isPlanned(stats, file)) throw new Refused('What is in quarantine in its place is not this file')
}

/** Deletes a file in quarantine that this agent moved there, if it is unchanged since. */
export async function deleteFile(run: Run, file: PlannedFile): Promise<void> {
  await inQuarantine(run, file, async (at) => {
    await withEntry(at, async (stats) => {
      requireInQuarantine(stats, file)
      requireSame(file, stats)
      const moved = { path: file.pathInStorage, inode: inodeOf(stats), size: stats.size, mtimeNs: stats.mtimeNs }
      if (!run.manifest?.hasWritten(moved))
        throw new Refused('The manifest of its run does not show that this agent moved it. Delete it by hand')
    })
    await unlink(pathOf(at))
  }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    if (await isAtSource(run, file)) throw new Refused('It was put back')
    // Without the manifest, this may not be the storage that the file was moved in. With it, the file was deleted by other means.
    if (!run.manifest) throw new Refused('It is no longer in quarantine')
  })
}

const isAtSource = (run: Run, file: PlannedFile): Promise<boolean> => isAt(inStorage(run, file, lookFor(file)))
const lookFor = (file: PlannedFile) => (at: Name) => withEntry(at, async (stats) => isPlanned(stats, file))

/** False for what is missing. Throws other errors of the system: they say nothing about the file. */
const isAt = (look: Promise<boolean>): Promise<boolean> =>
  look.catch((error: NodeJS.ErrnoException) => {
    if (error instanceof ShownError || goneCodes.has(error.code)) return false
    throw error
  })
const goneCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** True if an order is carried out for a file, by the file system alone. */
export async function isDone(run: Run, file: PlannedFile): Promise<boolean> {
  const { verb } = run.order
  if (!isAllowed(run.storage, file)) return false
  const isThere = isAt(inQuarantine(run, file, lookFor(file)))
  if (verb === 'move') return isThere
  if (verb === 'putBack') return !(await isThere) && isAtSource(run, file)
  return run.manifest !== undefined && !(await isThere) && !(await isAtSource(run, file))
}
