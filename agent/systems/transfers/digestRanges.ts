import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import type { CopyRange, DigestQuestion, RangeDigest } from '#events/actions/copies.ts'
import { targetFault } from '#events/actions/targets.ts'
import { inFolderOf, OutsideStorage, type StoragePath } from '../local/inFolder.ts'
import { openUnused } from '../../actions/openUnused.ts'

const readBytes = 256 * 1_024

/** Reads ranges of files of a storage, one after another. Throws the signal's reason only. */
export async function digestRanges(
  { ranges, ...storage }: DigestQuestion,
  signal: AbortSignal,
): Promise<RangeDigest[]> {
  const digests: RangeDigest[] = []
  for (const range of ranges) {
    signal.throwIfAborted()
    const file = { ...storage, path: range.path }
    digests.push(await digestRange(file, range, signal).catch((error: unknown) => failureOf(file, error)))
    signal.throwIfAborted()
  }
  return digests
}

async function digestRange(file: StoragePath, range: CopyRange, signal: AbortSignal): Promise<RangeDigest> {
  const fault = targetFault(file.path)
  if (fault !== undefined) return { failure: 'missing', reason: fault }
  // The access time is not restored: that would look like a change between two ranges.
  const { handle, stats: before } = await inFolderOf(file, openUnused)
  try {
    if (!before.isFile()) return { failure: 'missing', reason: 'is not a file' }
    const digest = await digestOf(handle, range, signal)
    const after = await handle.stat({ bigint: true })
    if (identityOf(before) !== identityOf(after)) return { failure: 'unreadable', reason: 'changed while it was read' }
    return { size: Number(after.size), file: identityOf(after), digest }
  } finally {
    await handle.close()
  }
}

/** Every change of a file gives it another time. Inodes alone repeat on other machines. */
const identityOf = ({ ino, ctimeNs, size }: BigIntStats): string => `${BigInt.asUintN(64, ino)}-${ctimeNs}-${size}`

async function digestOf(handle: FileHandle, { start, length }: CopyRange, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(readBytes, length))
  for (let at = start; at < start + length;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, Math.min(readBytes, start + length - at), at)
    if (bytesRead === 0) break
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex')
}

async function failureOf({ root }: StoragePath, error: unknown): Promise<RangeDigest> {
  if (error instanceof OutsideStorage) return { failure: 'missing', reason: `can't be read. ${error.message}` }
  const { code = String(error) } = error as NodeJS.ErrnoException
  if (code === 'ELOOP') return { failure: 'missing', reason: 'is a link' }
  if (code !== 'ENOENT' && code !== 'ENOTDIR')
    return { failure: 'unreadable', reason: `can't be read by the agent (${code})` }
  // The root of a storage that isn't mounted may be missing.
  const isThere = await stat(root || '/').catch(() => undefined)
  if (isThere?.isDirectory()) return { failure: 'missing', reason: 'is missing' }
  return {
    failure: 'unreadable',
    reason: "can't be read: the agent does not see its storage. Check that it is mounted",
  }
}
