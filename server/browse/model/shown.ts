import type { Entry } from '#events/entries.ts'
import type { Known } from '#server/search/model/known.ts'

/** What an answer says of an entry. */
export function shown({ row, path, volumeId, volumeName, scannedOn, dupe, tags }: Known): Partial<Entry> {
  const { name, isDirectory, size, allocatedSize, owner, mode, previousPath, files, folders } = row
  return {
    name,
    isDirectory,
    size,
    allocatedSize,
    owner,
    mode,
    previousPath,
    path,
    volumeId,
    volumeName,
    dupe,
    indexingDate: scannedOn,
    customTag: tags,
    numberOfFiles: isDirectory ? files : null,
    numberOfFolders: isDirectory ? folders : null,
    lastModified: new Date(row.lastModified * 1000).toISOString(),
  }
}
