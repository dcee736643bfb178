import { encodeEntry, encodeListed, encodeUnreadable, pathOfChildren, type Unrecorded } from '#events/entry-row.ts'
import type { ScanOrder } from '#events/scans.ts'
import { reason } from '../systems/local/index.ts'
import { type Entry, type FolderSystem, NotThere } from '../systems/system.ts'
import type { Batches } from './batches.ts'
import type { Folder, Folders } from './folders.ts'
import type { rulesOf } from './rules.ts'
import type { Tally } from './tally.ts'

/** Ends the walk of a thread at once: the scan was stopped. */
export class Stopped extends Error {}
/** Ends the scan: there is no sense in going on. */
export class ScanFailed extends Error {}

/** What a thread walks with. `pulse` is called all the while, and throws `Stopped`. */
export type Recording = {
  order: ScanOrder
  system: FolderSystem
  rules: ReturnType<typeof rulesOf>
  batches: Batches
  tally: Tally
  /** How many files were recorded. */
  files: number
  device: number | bigint
  unreadable(path: string, error: unknown): void
  pulse(): void
}

/** Records what lies in a folder, then how its listing ended; returns the folders that are to be listed next. */
export function recordFolder(folder: Folder, recording: Recording): Folders {
  const { batches, tally, unreadable } = recording
  const path = folder.parentPath + folder.name
  const unrecorded: Unrecorded = { files: 0, size: 0, allocatedSize: 0 }
  const below: Folders = { parentPath: pathOfChildren(folder), names: [] }
  try {
    const children = recordChildren(path, recording, below.names, unrecorded)
    batches.add(encodeListed(batches.id(), folder, children, unrecorded))
  } catch (error) {
    if (error instanceof Stopped) throw error
    if (path === '') throw new ScanFailed(`The storage cannot be listed: ${reason(error)}`, { cause: error })
    // A folder that vanished since it was seen is an empty one until the next scan.
    if (error instanceof NotThere) batches.add(encodeListed(batches.id(), folder, 0))
    else {
      batches.add(encodeUnreadable(batches.id(), folder))
      unreadable(path, error)
    }
  }
  tally.directories++
  return below
}

function recordChildren(path: string, recording: Recording, below: string[], unrecorded: Unrecorded): number {
  const { system, rules, batches, pulse } = recording
  const recordsFiles = rules.recordsFilesIn(path)
  let children = 0
  for (const entry of system.list(path)) {
    pulse()
    if (rules.leavesOut(entry.parentPath, entry.name)) continue
    if (!entry.isDirectory && !recordsFiles) {
      count(entry, recording, unrecorded)
      continue
    }
    recordEntry(entry, recording)
    children++
    if (!entry.isDirectory) continue
    if (mayEnter(entry, recording)) below.push(entry.name)
    else batches.add(encodeListed(batches.id(), entry, 0))
  }
  return children
}

/** Writes an entry's row. */
export function recordEntry(entry: Entry, recording: Recording): void {
  const { batches, tally, unreadable } = recording
  batches.add(encodeEntry(batches.id(), entry))
  tally.entries++
  // A folder that cannot be looked up is named when it is listed.
  if (entry.isDirectory) return
  recording.files++
  if (entry.error === undefined) tally.bytes += Number(entry.size)
  else unreadable(entry.parentPath + entry.name, entry.error)
}

/** Other file systems are seen and not entered, unless the order says so. */
export const mayEnter = (entry: Entry, { order, device }: Recording): boolean =>
  order.crossFileSystems || entry.device === device || entry.error !== undefined

function count(entry: Entry, { tally, unreadable }: Recording, unrecorded: Unrecorded): void {
  unrecorded.files++
  if (entry.error !== undefined) return unreadable(entry.parentPath + entry.name, entry.error)
  const size = Number(entry.size)
  unrecorded.size += size
  unrecorded.allocatedSize += Number(entry.allocatedSize)
  tally.bytes += size
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
