import type { EntryRow, Unrecorded } from '#events/scans/entryRow.ts'
import type { Batches } from './batches.ts'
import type { Counts } from './progress.ts'

/** Destination and counters of a scan's entries. */
export type Recording = {
  batches: Batches
  counts: Counts
  /** Number of recorded files. */
  files: number
}

/** Bytes of an entry that came in a page; an unknown size counts nothing. */
const bytesOf = (size: number | bigint): number => Math.max(0, Number(size))

/** Writes the row of an entry that came in a page. */
export function recordEntry(entry: EntryRow, recording: Recording): void {
  const { batches, counts } = recording
  batches.add(entry)
  counts.entries++
  if (entry.isDirectory) return void counts.directories++
  recording.files++
  counts.bytes += bytesOf(entry.size)
}

export const nothingUnrecorded = (): Unrecorded => ({ files: 0, size: 0, allocatedSize: 0 })

/** Counts a file that is to have no row of its own. */
export function countUnrecorded(entry: EntryRow, { counts }: Recording, unrecorded: Unrecorded): void {
  const size = bytesOf(entry.size)
  unrecorded.files++
  unrecorded.size += size
  unrecorded.allocatedSize += bytesOf(entry.allocatedSize)
  counts.bytes += size
}
