import { encodeEntry, type EntryRow, type Unrecorded } from '#events/scans/entryRow.ts'
import { type DiskEntry, nameOf } from '../../systems/local/diskEntry.ts'
import type { Owners } from '../../systems/local/owners.ts'
import { allocatedSizeOf, deviceOf, isFolder, modeOf, sizeOf } from '../../systems/local/statx.ts'
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
  const { stat } = entry
  const place = { parentPath, name: nameOf(entry), isDirectory: isFolder(stat), mode: modeOf(stat) }
  if (entry.error !== undefined) return { ...unknown, ...place }
  const long = (word: number) =>
    BigInt.asIntN(64, BigInt(stat[word] as number) | (BigInt(stat[word + 1] as number) << 32n))
  return {
    ...place,
    size: long(10),
    allocatedSize: allocatedSizeOf(stat),
    linkCount: stat[4] as number,
    device: deviceOf(stat),
    inode: BigInt.asUintN(64, long(8)),
    owner: owners.user(stat[5] as number),
    group: owners.group(stat[6] as number),
    linkTarget: entry.linkTarget,
    created: ((stat[0] as number) & 0x800) === 0 ? 0 : Number(long(20)),
    modified: Number(long(28)),
    accessed: Number(long(16)),
  }
}

/** What is not known of an entry that cannot be looked up. */
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
