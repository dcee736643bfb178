import { plausibleTime } from '#events/scans/plausibleTime.ts'
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import type { PlannedFile } from '#events/actions/files.ts'
import { messageOf } from '../../systems/system.ts'
import { FileFailed } from './failures.ts'

/** A file of this machine that is read in parts, and never as a whole. */
export type Source = {
  size: number
  modified: Date
  read(start: number, length: number): AsyncGenerator<Uint8Array>
  /** Throws `FileFailed` if the file has changed since it was opened. */
  check(): Promise<void>
  close(): Promise<void>
}

const readBytes = 256 * 1_024

/** Opens a file that is still as planned. */
export async function openSource(file: PlannedFile): Promise<Source> {
  const { path } = file
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const handle = await readable(file, () => open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
  try {
    const before = await handle.stat()
    requirePlanned(file, before)
    return {
      size: before.size,
      modified: before.mtime,
      read: (start, length) => bytesOf(handle, start, length),
      async check() {
        const now = await readable(file, () => lstat(path))
        if (now.size !== before.size || now.mtimeMs !== before.mtimeMs) throw new FileFailed(changed)
      },
      close: () => handle.close(),
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

const changed = 'The file changed while it was read. Upload it again when nothing writes to it'

function requirePlanned({ size, modified }: PlannedFile, stats: Stats): void {
  if (!stats.isFile()) throw new FileFailed('This is not a file, but a folder, a link or a device')
  if (stats.size !== size)
    throw new FileFailed(
      `The file has ${stats.size} bytes instead of ${size}: it has changed since the scan. Scan it again`,
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

async function readable<T>({ path }: PlannedFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && path.includes('\uFFFD')) throw new FileFailed(invalidName, { cause: error })
    throw new FileFailed(reasons[code] ?? `The file can't be read: ${messageOf(error)}`, { cause: error })
  }
}

export const invalidName = 'Iconik accepts only names in valid Unicode. Rename the file'

const reasons: Record<string, string> = {
  ENOENT: 'The file does not exist any more',
  ENOTDIR: 'The file does not exist any more',
  EACCES: 'The agent has no permission to read the file',
  EPERM: 'The agent has no permission to read the file',
  ELOOP: 'This is not a file, but a link',
}
