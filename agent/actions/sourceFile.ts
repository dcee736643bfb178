import { plausibleTime } from '#events/scans/plausibleTime.ts'
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import type { PlannedFile } from '#events/actions/files.ts'
import { inFolderOf, inStorage, OutsideStorage } from '../systems/local/inFolder.ts'
import type { DiskPath } from '../systems/local/paths.ts'
import { messageOf, ShownError } from '../systems/system.ts'

/** One file can't be processed. The message is the reason for users. */
export class FileFailed extends ShownError {}

/** A file of this machine that is read in parts, and never as a whole. */
export type Source = {
  size: number
  modified: Date
  read(start: number, length: number): AsyncGenerator<Uint8Array>
  /** Throws `FileFailed` if the file has changed since it was opened. */
  check(): Promise<void>
  /** Device and inode, which all hard links of a file share, and their number. */
  identity(): Promise<{ file: string; links: number }>
  close(): Promise<void>
}

const readBytes = 256 * 1_024

/**
 * Opens a file that is still as planned, in its storage. Throws `FileFailed`. Links are not followed, also not in the place of its folders, and a pipe or device doesn't block. `keepsAccessTime`:
 * reading is no access, if the agent owns the file or runs as root on Linux.
 */
export async function openSource(file: PlannedFile, { keepsAccessTime = false } = {}): Promise<Source> {
  const place = inStorage(file)
  const handle = await readable(() => inFolderOf(place, (path) => openToRead(path, keepsAccessTime)))
  try {
    const before = await handle.stat()
    requirePlanned(file, before)
    return {
      size: before.size,
      modified: before.mtime,
      read: (start, length) => bytesOf(handle, start, length),
      async check() {
        const now = await readable(() => inFolderOf(place, (path) => lstat(path)))
        const isSame = now.ino === before.ino && now.size === before.size && now.mtimeMs === before.mtimeMs
        if (!isSame) throw new FileFailed(changed)
      },
      async identity() {
        const { dev, ino, nlink } = await handle.stat({ bigint: true })
        return { file: `${BigInt.asUintN(64, dev)}-${BigInt.asUintN(64, ino)}`, links: Number(nlink) }
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openToRead(path: DiskPath, keepsAccessTime: boolean): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOATIME = 0 } = constants
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
  if (!keepsAccessTime) return open(path, flags)
  return open(path, flags | O_NOATIME).catch((error: NodeJS.ErrnoException) => {
    // Only the owner of a file and root may use O_NOATIME.
    if (error.code === 'EPERM') return open(path, flags)
    throw error
  })
}

/** SHA-1 of a part, in hex. */
export async function sha1Of(source: Source, start: number, length: number): Promise<string> {
  const hash = createHash('sha1')
  for await (const bytes of source.read(start, length)) hash.update(bytes)
  return hash.digest('hex')
}

const changed = 'The file changed while it was read. Try again when nothing writes to it'

function requirePlanned({ size, modified }: PlannedFile, stats: Stats): void {
  if (!stats.isFile()) throw new FileFailed('This is not a file, but a folder, a link or a device')
  if (stats.size !== size)
    throw new FileFailed(
      `The file has ${stats.size} ${stats.size === 1 ? 'byte' : 'bytes'} instead of ${size}: it has changed since the scan. Scan it again`,
    )
  const seconds = plausibleTime(Math.floor(stats.mtimeMs / 1_000), Date.now() / 1_000)
  if (seconds !== Math.floor(modified)) throw new FileFailed('The file was modified since the scan. Scan it again')
}

async function* bytesOf(handle: FileHandle, start: number, length: number): AsyncGenerator<Uint8Array> {
  const end = start + length
  for (let at = start; at < end;) {
    const buffer = Buffer.allocUnsafe(Math.min(readBytes, end - at))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) throw new FileFailed(changed)
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new FileFailed(readFailure(error), { cause: error })
  }
}

/** The reason for users why a file can't be read. */
export function readFailure(error: unknown): string {
  if (error instanceof OutsideStorage) return error.message
  const { code = '' } = error as NodeJS.ErrnoException
  return reasons[code] ?? `The file can't be read: ${messageOf(error)}`
}

const reasons: Record<string, string> = {
  ENOENT: 'The file no longer exists',
  ENOTDIR: 'The file no longer exists',
  EACCES: 'The agent has no permission to read the file',
  EPERM: 'The agent has no permission to read the file',
  ELOOP: 'This is not a file, but a link',
}
