import { pathOfChildren, type Unrecorded } from '#events/scans/entryRow.ts'
import type { ScanOrder } from '#events/scans/order.ts'
import { reason } from '../../systems/local/index.ts'
import { type Entry, type FolderSystem, NotThere, ScanFailed } from '../../systems/system.ts'
import { countUnrecorded, nothingUnrecorded, type Recording, recordEntry } from '../recordEntry.ts'
import type { rulesOf } from '../rules.ts'
import { type Folder, folderOf, type Folders } from './folderStack.ts'

/** Ends the walk of a thread at once: the scan was stopped. */
export class Stopped extends Error {}

/** What a thread walks with. `pulse` is called all the while, and throws `Stopped`. */
export type FolderRecording = Recording & {
  order: ScanOrder
  system: FolderSystem
  rules: ReturnType<typeof rulesOf>
  device: number | bigint
  pulse(): void
}

/** Records what lies in a folder, then how its listing ended; returns the folders that are to be listed next. */
export function recordFolder(folder: Folder, recording: FolderRecording): Folders {
  const { batches, counts, unreadable } = recording
  const path = folder.parentPath + folder.name
  const unrecorded = nothingUnrecorded()
  const below: Folders = { parentPath: pathOfChildren(folder), names: [] }
  try {
    const children = recordChildren(path, recording, below.names, unrecorded)
    batches.addListed(folder, children, unrecorded)
  } catch (error) {
    if (error instanceof Stopped) throw error
    if (path === '') throw new ScanFailed(`The storage cannot be listed: ${reason(error)}`, { cause: error })
    // A folder that vanished since it was seen is an empty one until the next scan.
    if (error instanceof NotThere) batches.addListed(folder, 0)
    else {
      batches.addUnreadable(folder)
      unreadable(path, error)
    }
  }
  counts.directories++
  return below
}

function recordChildren(path: string, recording: FolderRecording, below: string[], unrecorded: Unrecorded): number {
  const { system, rules, batches, pulse } = recording
  const recordsFiles = rules.recordsFilesIn(path)
  let children = 0
  for (const entry of system.list(path)) {
    pulse()
    if (rules.leavesOut(entry.parentPath, entry.name)) continue
    if (!entry.isDirectory && !recordsFiles) {
      countUnrecorded(entry, recording, unrecorded)
      continue
    }
    recordEntry(entry, recording)
    children++
    if (!entry.isDirectory) continue
    if (mayEnter(entry, recording)) below.push(entry.name)
    else batches.addListed(entry, 0)
  }
  return children
}

/** Other file systems are seen and not entered, unless the order says so. */
const mayEnter = (entry: Entry, { order, device }: FolderRecording): boolean =>
  order.crossFileSystems || entry.device === device || entry.error !== undefined

/**
 * Begins with a folder that the order names; whether it is to be listed. Of the scanned path the entry goes first, with
 * those of the folders above it: no listing of this scan brings them.
 */
export function recordOrdered(path: string, recording: FolderRecording): boolean {
  const { order, system, batches } = recording
  if (path === order.scannedPath) recordFoldersTo(path, recording)
  const entry = system.entry(path)
  if (!entry || mayEnter(entry, recording)) return true
  if (path === order.scannedPath)
    throw new ScanFailed(`${order.root}${path} is on another file system, which this storage does not include`)
  batches.addListed(folderOf(path), 0)
  return false
}

function recordFoldersTo(path: string, recording: FolderRecording): void {
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth++) {
    const entry = recording.system.entry(names.slice(0, depth).join('/'))
    if (entry?.isDirectory) recordEntry(entry, recording)
  }
}
