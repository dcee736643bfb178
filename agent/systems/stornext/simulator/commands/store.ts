import type { ManagedFile } from '../contents/managedFile.ts'
import type { Media } from '../contents/media.ts'
import { classOfPath, type StorageManager } from '../contents/storageManager.ts'
import type { FileWork } from './runFiles.ts'

/** Writes the missing tape copies of a file, up to a number of copies or as many as its class has. */
export const storeFile =
  (manager: StorageManager, copies: number | undefined): FileWork =>
  (file, end) => {
    const target = classOfPath(manager, file.path)?.copies ?? 0
    if (copies !== undefined && copies > target) return end('too many copies')
    // Empty files have no copies.
    if (file.size === 0) return end()
    writeCopies(manager, file, copies ?? target, end)
  }

function writeCopies(manager: StorageManager, file: ManagedFile, count: number, end: Parameters<FileWork>[1]): void {
  const copy = file.copies.length + 1
  if (copy > count) return end()
  const media = mediaFor(manager, file)
  if (!media) return end('no scratch media')
  const before = { size: file.size, modifiedAt: file.modifiedAt }
  manager.drive.submit({
    kind: 'write',
    path: file.path,
    media,
    bytes: file.size,
    end(result) {
      if ('failure' in result) return end(result.failure)
      const current = manager.files.get(file.path)
      if (!current || current.isDeleted) return end('deleted file')
      if (current.size !== before.size || current.modifiedAt !== before.modifiedAt) return end('changed file')
      const checksums = manager.files.checksums(file, Math.ceil(file.size / manager.segmentBytes))
      manager.files.keepContent(file)
      file.copies.push({ copy, mediaId: media.mediaId, startBlock: result.startBlock, checksums })
      writeCopies(manager, file, count, end)
    },
  })
}

/** The first tape in the library with space for a file, which has no other copy of the file. */
const mediaFor = ({ media }: StorageManager, { size, copies }: ManagedFile): Media | undefined =>
  [...media.values()].find(
    ({ mediaId, isOnline, usedBytes, capacityBytes }) =>
      isOnline && usedBytes + size <= capacityBytes && !copies.some((copy) => copy.mediaId === mediaId),
  )
