import { dirname } from 'node:path/posix'
import type { ManagedFile, TapeCopy } from '../contents/managedFile.ts'
import { classOfPath, type StorageManager } from '../contents/storageManager.ts'
import type { Failure } from '../unconfirmed.ts'
import type { FileWork } from './runFiles.ts'

/** Brings a file back in place. Files on disk need no tape. */
export const retrieveFile =
  (manager: StorageManager): FileWork =>
  (file, end) => {
    if (file.isOnDisk) return end()
    readCopy(manager, file, (failure) => {
      if (!failure) manager.files.bringBack(file)
      end(failure)
    })
  }

/** Brings a file back to another path. */
export const relocateFile =
  (manager: StorageManager, newPath: string): FileWork =>
  (file, end) => {
    const { files, readings } = manager
    const existing = files.get(newPath)
    if (existing && !existing.isDeleted && readings.existingTarget === 'refuse') return end('target exists')
    if (readings.retrieveNew !== 'creates folder' && !files.hasDirectory(dirname(newPath)))
      return end('no target folder')
    readCopy(manager, file, (failure) => {
      if (!failure) files.writeTo(file, newPath)
      end(failure)
    })
  }

/** Removes the disk copy of a file, if all tape copies exist. Empty files stay. */
export const truncateFile =
  (manager: StorageManager): FileWork =>
  (file, end) => {
    if (file.size === 0 || !file.isOnDisk) return end()
    const target = classOfPath(manager, file.path)?.copies ?? 0
    if (file.copies.length < target || target === 0) return end('copies missing')
    manager.files.truncate(file)
    end()
  }

/** Reads the first copy, or the next one if that fails. */
function readCopy(manager: StorageManager, file: ManagedFile, end: (failure?: Failure) => void): void {
  const read = ([copy, ...others]: TapeCopy[], failure: Failure): void => {
    const media = copy && manager.media.get(copy.mediaId)
    if (!copy) return end(failure)
    if (!media) return read(others, 'tape offline')
    manager.drive.submit({
      kind: 'read',
      path: file.path,
      media,
      startBlock: copy.startBlock,
      bytes: file.size,
      end: (result) => ('failure' in result ? read(others, result.failure) : end()),
    })
  }
  read(file.copies, 'no copy')
}
