import type { FolderHandle } from '#events/node/blocks/blockWriter.ts'
import type { Unrecorded } from '#events/scans/entryRow.ts'
import { type DiskEntry, nameOf } from '../../systems/local/diskEntry.ts'
import { allocatedSizeOf, hasPossibleSize, isFolder, modeOf, sizeOf } from '../../systems/local/statx.ts'
import { ScanFailed } from '../../systems/system.ts'
import type { Batches } from '../batches.ts'
import type { Recording } from '../recordEntry.ts'

/** Also receives the entries that cannot be read, with the reason. */
export type DiskRecording = Recording & { unreadable(path: string, error: unknown): void }

/** Writes the row of an entry of a folder: from the kernel's buffers, without a text or an object for it. */
export function writeDiskEntry(entry: DiskEntry, folder: FolderHandle, batches: Batches): void {
  if (entry.error === undefined)
    return batches.addFrom(folder, entry.stat, entry.names, entry.nameAt, entry.nameEnd, entry.linkTarget)
  const isDirectory = isFolder(entry.stat)
  batches.add({ ...unknown, parentPath: folder.path, name: nameOf(entry), isDirectory, mode: modeOf(entry.stat) })
}

/** Counts an entry of a folder, and names a file that cannot be looked up. */
export function countDiskEntry(entry: DiskEntry, folder: FolderHandle, recording: DiskRecording): void {
  const { counts } = recording
  counts.entries++
  // A folder that cannot be looked up is named when it is listed.
  if (isFolder(entry.stat)) return
  recording.files++
  const error = errorOf(entry)
  if (error === undefined) counts.bytes += sizeOf(entry.stat)
  else recording.unreadable(folder.path + nameOf(entry), error)
}

/** Counts a file that is to have no row of its own. */
export function countDiskFile(
  entry: DiskEntry,
  folder: FolderHandle,
  { counts, unreadable }: DiskRecording,
  unrecorded: Unrecorded,
): void {
  unrecorded.files++
  const error = errorOf(entry)
  if (error !== undefined) return unreadable(folder.path + nameOf(entry), error)
  const size = sizeOf(entry.stat)
  unrecorded.size += size
  unrecorded.allocatedSize += allocatedSizeOf(entry.stat)
  counts.bytes += size
}

/** The reason for which an entry counts as unreadable, if it does. */
const errorOf = ({ error, stat }: DiskEntry): unknown =>
  error ?? (hasPossibleSize(stat) ? undefined : new ScanFailed('Its size is larger than 8 EiB'))

/** Values of an entry that cannot be looked up. */
const unknown = {
  size: -1,
  allocatedSize: -1,
  linkCount: 1,
  device: 0,
  inode: 0,
  owner: '',
  group: '',
  linkTarget: '',
  created: 0,
  modified: 0,
  accessed: 0,
}
