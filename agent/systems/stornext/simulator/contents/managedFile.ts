import { lstatSync } from 'node:fs'

/** One copy of a file on tape. Large files have several segments, each with its checksum (MD5). */
export type TapeCopy = { copy: number; mediaId: string; startBlock: number; checksums: string[] }

export const newFile = (path: string, modifiedAt: number) => ({
  path,
  size: 1_000,
  /** Milliseconds since 1970. */
  modifiedAt,
  isOnDisk: true,
  /** On another storage system, not on tapes. */
  isForeign: false,
  /** Removed from the file system. Its tape copies remain. */
  isDeleted: false,
  copies: [] as TapeCopy[],
  /** Content on this machine, of a file in a mapped folder that has tape copies. */
  content: undefined as string | undefined,
})
/** A file of a managed file system. */
export type ManagedFile = ReturnType<typeof newFile>

export type NewFile = Partial<Omit<ManagedFile, 'path' | 'content'>>

/** Current state of a file that is in a folder of this machine. Its tape copies are invalid if its size or time changed. */
export function followDisk(
  disk: string,
  file: ManagedFile | undefined,
  add: (values: NewFile) => ManagedFile,
): ManagedFile | undefined {
  const stats = lstatSync(disk, { throwIfNoEntry: false })
  if (!stats?.isFile()) {
    if (file) file.isDeleted = true
    return file
  }
  const state = { size: stats.size, modifiedAt: Math.round(stats.mtimeMs) }
  if (!file) return add(state)
  const isSame = file.size === state.size && Math.abs(file.modifiedAt - state.modifiedAt) < 2
  if (!isSame) Object.assign(file, { ...state, isOnDisk: true, copies: [], content: undefined })
  file.isDeleted = false
  return file
}
