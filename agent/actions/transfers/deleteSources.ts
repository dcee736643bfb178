import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { cleanLine } from '#events/contract/cleanText.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { seconds } from '../../systems/local/statx.ts'
import { done, failed } from '../outcomes.ts'
import { type CopiedFile, notDeleted } from './outcomes.ts'

export type RemoveFile = (path: string) => Promise<void>
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
  const { path } = file
  try {
    const fault = changeOf(file, await lstat(path, { bigint: true }))
    if (fault !== undefined) return fault
    if (checksum !== undefined) {
      const difference = await compared(path, checksum, signal)
      // It may have changed while it was read.
      const reason = difference ?? changeOf(file, await lstat(path, { bigint: true }))
      if (reason !== undefined) return reason
    }
    await remove(path)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code === 'ENOENT' ? missing(path) : `the agent can't delete it (${code})`
  }
}

type Stats = { isFile: () => boolean; size: bigint; mtimeNs: bigint }

function changeOf({ size, modified }: PlannedFile, stats: Stats): string | undefined {
  if (!stats.isFile()) return 'it is no longer a regular file'
  if (modified === 0) return 'its modification date is unknown, so that a change would not be noticed'
  const isSame = Number(stats.size) === size && Number(seconds(stats.mtimeNs)) === Math.floor(modified)
  return isSame ? undefined : 'it changed after it was selected'
}

/** The folder of a storage that is not mounted is missing, or would be empty. */
async function missing(path: string): Promise<string | undefined> {
  const isFolder = await stat(dirname(path)).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  return isFolder ? undefined : 'the agent does not see its folder. Check that the storage is mounted'
}

const algorithms: Record<number, string> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

/** The reason why the content of a file differs from a checksum in hex, whose length names the algorithm. Links are not followed. */
async function compared(path: string, checksum: string, signal: AbortSignal): Promise<string | undefined> {
  const hex = checksum.trim().toLowerCase()
  const algorithm = /^[0-9a-f]+$/.test(hex) ? algorithms[hex.length] : undefined
  if (algorithm === undefined) return `the checksum of its copy has an unknown form (${cleanLine(checksum, 100)})`
  const hash = createHash(algorithm)
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  for await (const chunk of handle.createReadStream({ signal })) hash.update(chunk as Buffer)
  return hash.digest('hex') === hex ? undefined : 'the checksum of its copy is not that of the file'
}
