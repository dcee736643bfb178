import type { Unrecorded } from '#events/scans/entryRow.ts'
import type { Entry } from '../systems/system.ts'
import type { Batches } from './batches.ts'
import type { Counts } from './progress.ts'

/** Where the entries of a scan are written and counted. */
export type Recording = {
  batches: Batches
  counts: Counts
  /** How many files were recorded. */
  files: number
  unreadable(path: string, error: unknown): void
}

/** Writes an entry's row. */
export function recordEntry(entry: Entry, recording: Recording): void {
  const { batches, counts, unreadable } = recording
  batches.add(entry)
  counts.entries++
  // A folder that cannot be looked up is named when it is listed.
  if (entry.isDirectory) return
  recording.files++
  if (entry.error === undefined) counts.bytes += Number(entry.size)
  else unreadable(entry.parentPath + entry.name, entry.error)
}

export const nothingUnrecorded = (): Unrecorded => ({ files: 0, size: 0, allocatedSize: 0 })

/** Counts a file that is to have no row of its own. */
export function countUnrecorded(entry: Entry, { counts, unreadable }: Recording, unrecorded: Unrecorded): void {
  unrecorded.files++
  if (entry.error !== undefined) return unreadable(entry.parentPath + entry.name, entry.error)
  const size = Number(entry.size)
  unrecorded.size += size
  unrecorded.allocatedSize += Number(entry.allocatedSize)
  counts.bytes += size
}
