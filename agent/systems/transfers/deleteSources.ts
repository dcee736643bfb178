import { createHash } from 'node:crypto'
import { lstat, unlink } from 'node:fs/promises'
import { cleanLine } from '#events/contract/cleanText.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { inFolderOf, inStorage, OutsideStorage } from '../local/inFolder.ts'
import type { DiskPath } from '../local/paths.ts'
import { seconds } from '../local/statx.ts'
import { openUnused } from '../../actions/openUnused.ts'
import { done, failed } from '../../actions/outcomes.ts'
import { type CopiedFile, notDeleted } from './outcomes.ts'

/** Removes a name in an open folder. */
export type RemoveFile = (path: DiskPath) => Promise<void>
export const removeFile: RemoveFile = (path) => unlink(path)

type Options = { remove: RemoveFile; signal: AbortSignal }

/**
 * Deletes the sources of verified copies that are still as planned, one after another, and returns the outcomes of all. A source that is
 * gone counts as deleted: an earlier attempt may have ended before it could report that.
 */
export async function deleteSources(files: CopiedFile[], options: Options): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = []
  for (const { file, copy } of files) {
    options.signal.throwIfAborted()
    const reason = await deleteSource(file, copy.checksum, options)
    outcomes.push(reason === undefined ? done(file) : failed(file, notDeleted(reason)))
  }
  return outcomes
}

/** Deletes a file, or returns the reason why it stays. */
async function deleteSource(
  file: PlannedFile,
  checksum: string | undefined,
  { remove, signal }: Options,
): Promise<string | undefined> {
  try {
    return await inFolderOf(inStorage(file), async (path) => {
      try {
        const reason = await difference(path, file, { checksum, signal })
        if (reason === undefined) await remove(path)
        return reason
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OutsideStorage) return error.message
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    // The folder of a storage that is not mounted is missing.
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return 'the agent does not see its folder. Check that the storage is mounted'
    return `the agent can't delete it (${code})`
  }
}

type Compared = { checksum: string | undefined; signal: AbortSignal }

/** The reason why a file is not the planned one. */
async function difference(path: DiskPath, file: PlannedFile, { checksum, signal }: Compared) {
  const fault = changeOf(file, await lstat(path, { bigint: true }))
  if (fault !== undefined || checksum === undefined) return fault
  // It may have changed while it was read.
  return (await compared(path, checksum, signal)) ?? changeOf(file, await lstat(path, { bigint: true }))
}

type Stats = { isFile: () => boolean; size: bigint; mtimeNs: bigint }

function changeOf({ size, modified }: PlannedFile, stats: Stats): string | undefined {
  if (!stats.isFile()) return 'it is no longer a regular file'
  if (modified === 0) return 'its modification date is unknown, so that a change would not be noticed'
  const isSame = Number(stats.size) === size && Number(seconds(stats.mtimeNs)) === Math.floor(modified)
  return isSame ? undefined : 'it changed after it was selected'
}

const algorithms: Record<number, string> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

/** The reason why the content of a file differs from a checksum in hex, whose length names the algorithm. Links are not followed. */
async function compared(path: DiskPath, checksum: string, signal: AbortSignal): Promise<string | undefined> {
  const hex = checksum.trim().toLowerCase()
  const algorithm = /^[0-9a-f]+$/.test(hex) ? algorithms[hex.length] : undefined
  if (algorithm === undefined) return `the checksum of its copy has an unknown form (${cleanLine(checksum, 100)})`
  const hash = createHash(algorithm)
  const { handle, giveBack } = await openUnused(path)
  try {
    for await (const chunk of handle.createReadStream({ signal, autoClose: false })) hash.update(chunk as Buffer)
    await giveBack()
  } finally {
    await handle.close()
  }
  return hash.digest('hex') === hex ? undefined : 'the checksum of its copy is not that of the file'
}
