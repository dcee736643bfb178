import { plausibleTime } from '#events/scans/plausibleTime.ts'
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, lstat } from 'node:fs/promises'
import { isOnDisk, notOnDisk } from '#events/actions/contents.ts'
import type { PlannedFile } from '#events/actions/files.ts'
import { sharedBytesOf } from '../systems/local/extents.ts'
import { inFolderOf, inStorage, OutsideStorage } from '../systems/local/inFolder.ts'
import { blockBytes, seconds } from '../systems/local/statx.ts'
import { messageOf, ShownError } from '../systems/system.ts'
import { openUnused } from './openUnused.ts'

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
  /** Bytes that other files or snapshots have on disk, too. */
  sharedBytes(): Promise<number>
  close(): Promise<void>
}

const readBytes = 256 * 1_024

/**
 * Opens a file that is still as planned, in its storage. Throws `FileFailed`. Links are not followed, also not in the place of its folders.
 * `onDiskOnly` refuses a file whose content is elsewhere, such as on tape.
 */
export async function openSource(file: PlannedFile, { onDiskOnly = false } = {}): Promise<Source> {
  const place = inStorage(file)
  const { handle, stats: before, giveBack } = await readable(() => inFolderOf(place, openUnused))
  try {
    requirePlanned(file, before)
    if (onDiskOnly && !isOnDisk(file.size, Number(before.blocks) * blockBytes)) throw new FileFailed(notOnDisk)
    return {
      size: Number(before.size),
      modified: before.mtime,
      read: (start, length) => bytesOf(handle, start, length),
      async check() {
        const now = await readable(() => inFolderOf(place, (path) => lstat(path, { bigint: true })))
        const isSame = now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs
        if (!isSame) throw new FileFailed(changed)
      },
      async identity() {
        const { dev, ino, nlink } = await handle.stat({ bigint: true })
        return { file: `${BigInt.asUintN(64, dev)}-${BigInt.asUintN(64, ino)}`, links: Number(nlink) }
      },
      sharedBytes: () => sharedBytesOf(handle, file.size),
      close: () => giveBack().finally(() => handle.close()),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** SHA-1 of a part, in hex. */
export async function sha1Of(source: Source, start: number, length: number): Promise<string> {
  const hash = createHash('sha1')
  for await (const bytes of source.read(start, length)) hash.update(bytes)
  return hash.digest('hex')
}

const changed = 'The file changed while it was read. Try again when nothing writes to it'

function requirePlanned({ size, modified }: PlannedFile, stats: BigIntStats): void {
  if (!stats.isFile()) throw new FileFailed('This is not a file, but a folder, a link or a device')
  if (Number(stats.size) !== size)
    throw new FileFailed(
      `The file has ${stats.size} ${stats.size === 1n ? 'byte' : 'bytes'} instead of ${size}: it has changed since the scan. Scan it again`,
    )
  const modifiedNow = plausibleTime(Number(seconds(stats.mtimeNs)), Date.now() / 1_000)
  if (modifiedNow !== Math.floor(modified)) throw new FileFailed('The file was modified since the scan. Scan it again')
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
