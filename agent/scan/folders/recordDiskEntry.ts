import { encodeEntry, type EntryRow, type Unrecorded } from '#events/scans/entryRow.ts'
import { type DiskEntry, nameOf } from '../../systems/local/diskEntry.ts'
import type { Owners } from '../../systems/local/owners.ts'
import {
  allocatedSizeOf,
  deviceOf,
  hasBirth,
  inHalves,
  inPairs,
  inWords,
  isFolder,
  sizeOf,
} from '../../systems/local/statx.ts'
import type { Recording } from '../recordEntry.ts'

/** Writes the row of an entry of a folder. */
export function recordDiskEntry(entry: DiskEntry, parentPath: string, recording: Recording & { owners: Owners }): void {
  const { batches, counts, owners, unreadable } = recording
  const isDirectory = isFolder(entry.stat)
  batches.add(encodeEntry(batches.id(), rowOf(entry, parentPath, owners)))
  counts.entries++
  // A folder that cannot be looked up is named when it is listed.
  if (isDirectory) return
  recording.files++
  if (entry.error === undefined) counts.bytes += sizeOf(entry.stat)
  else unreadable(parentPath + nameOf(entry), entry.error)
}

/** Counts a file that is to have no row of its own. */
export function countDiskFile(
  entry: DiskEntry,
  parentPath: string,
  { counts, unreadable }: Recording,
  unrecorded: Unrecorded,
): void {
  unrecorded.files++
  if (entry.error !== undefined) return unreadable(parentPath + nameOf(entry), entry.error)
  unrecorded.size += sizeOf(entry.stat)
  unrecorded.allocatedSize += allocatedSizeOf(entry.stat)
  counts.bytes += sizeOf(entry.stat)
}

function rowOf(entry: DiskEntry, parentPath: string, owners: Owners): EntryRow {
  const { words, halves, pairs } = entry.stat
  const isKnown = entry.error === undefined
  const seconds = (pair: number) => Number(BigInt.asIntN(64, pairs[pair] as bigint))
  return {
    parentPath,
    name: nameOf(entry),
    isDirectory: isFolder(entry.stat),
    size: isKnown ? (pairs[inPairs.size] as bigint) : -1,
    allocatedSize: isKnown ? allocatedSizeOf(entry.stat) : -1,
    linkCount: isKnown ? (words[inWords.links] as number) : 1,
    device: deviceOf(entry.stat),
    inode: pairs[inPairs.inode] as bigint,
    owner: isKnown ? owners.user(words[inWords.user] as number) : '',
    group: isKnown ? owners.group(words[inWords.group] as number) : '',
    mode: halves[inHalves.mode] as number,
    linkTarget: isKnown ? entry.linkTarget : '',
    created: ((words[inWords.mask] as number) & hasBirth) === 0 ? 0 : seconds(inPairs.created),
    modified: seconds(inPairs.modified),
    accessed: seconds(inPairs.accessed),
  }
}
