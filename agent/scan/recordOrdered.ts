import { encodeListed } from '#events/entry-row.ts'
import { type Folder, foldersOf } from './folders.ts'
import { mayEnter, recordEntry, type Recording, ScanFailed } from './recordFolder.ts'

/**
 * Begins with a folder that the order names; whether it is to be listed. Of the scanned path the entry goes first, with
 * those of the folders above it: no listing of this scan brings them.
 */
export function recordOrdered(path: string, recording: Recording): boolean {
  const { order, system, batches } = recording
  if (path === order.scannedPath) recordWayTo(path, recording)
  const entry = system.entry(path)
  if (!entry || mayEnter(entry, recording)) return true
  if (path === order.scannedPath)
    throw new ScanFailed(`${order.root}${path} lies on another file system, which this storage does not include`)
  batches.add(encodeListed(batches.id(), folderOf(path), 0))
  return false
}

function recordWayTo(path: string, recording: Recording): void {
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth++) {
    const entry = recording.system.entry(names.slice(0, depth).join('/'))
    if (entry?.isDirectory) recordEntry(entry, recording)
  }
}

export function folderOf(path: string): Folder {
  const { parentPath, names } = foldersOf(path)
  return { parentPath, name: names[0] ?? '' }
}
