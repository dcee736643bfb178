import type { FollowOrder } from '#events/feeds/follow.ts'
import { pathOfChildren } from '#events/scans/entryRow.ts'
import { isInQuarantine } from '#events/scans/notEntered.ts'
import { newBatches } from '../scan/batches.ts'
import { type Folder, folderOf } from '../scan/folders/folderStack.ts'
import { writeDiskEntry } from '../scan/folders/recordDiskEntry.ts'
import { type FolderRecording, recordFolder } from '../scan/folders/recordFolder.ts'
import { noCounts } from '../scan/progress.ts'
import { rulesOf } from '../scan/rules.ts'
import type { openBoundaries } from '../systems/local/boundaries.ts'
import { nameOf } from '../systems/local/diskEntry.ts'
import type { FolderSystem } from '../systems/local/index.ts'
import type { Owners } from '../systems/local/owners.ts'
import { inodeOf, isFolder } from '../systems/local/statx.ts'
import { type Fingerprints, fingerprint, folderKey, KnownListings } from './knownListings.ts'

type Options = {
  order: FollowOrder
  boundaries: ReturnType<typeof openBoundaries>
  owners: Owners
  /** Called at each entry, because a folder may have millions. */
  pulse: () => void
}

/** The folders in a folder that was listed and that a scan enters, with their inodes; and whether all of its entries were added. */
export type ListedFolder = { below: { path: string; inode: number }[]; isWhole: boolean }

/** Only for file systems that aren't followed, or for scans. */
const unused = { loops: undefined, fillBlocks: undefined, digests: undefined, pace: undefined, turn: undefined }

/**
 * Lists folders as a scan does, by its own rules and functions, into blocks. Of a folder that was sent before, only what differs from then is
 * added, without a mark of its end.
 */
export function newLister({ order, boundaries, owners, pulse }: Options) {
  const rules = rulesOf(order)
  const counts = noCounts()
  let packed: Uint8Array<ArrayBuffer>[] = []
  const batches = newBatches({ nextBatch: () => 0, send: (batch) => packed.push(batch.packed), owners })
  const shared = { ...unused, unreadable: () => {}, batches, counts, files: 0, rules, boundaries, pulse }
  const known = new KnownListings()
  let folders = 0
  return {
    /** True for a folder that a scan doesn't list. */
    leavesOut(path: string): boolean {
      const { parentPath, name } = folderOf(path)
      return path !== '' && (rules.leavesOut(parentPath, name) || isInQuarantine(path) || boundaries.isOutside(path))
    },
    /**
     * Lists a folder. Undefined if no folder is there. Throws `ScanFailed` if the root can't be listed. `device` is that of the root; `isWhole`: the
     * server doesn't know its contents.
     */
    list(path: string, system: FolderSystem, device: bigint, isWhole = false): ListedFolder | undefined {
      const folder = folderOf(path)
      const entry = path === '' ? undefined : system.entry(path)
      if (path !== '' && (!entry || !isFolder(entry.stat))) return undefined
      const key = folderKey(entry?.stat)
      if (entry) writeDiskEntry(entry, batches.folder(folder.parentPath), batches)
      known.addFolder(path)
      folders++
      const before = isWhole || !rules.recordsFilesIn(path) ? undefined : known.of(key, path)
      const { entries, ...listed } = recordDiffering(folder, { ...shared, system, device }, before)
      if (entries) known.remember(key, path, entries)
      else known.forget(path)
      return listed
    },
    /** The server may not know what was taken: the folders are sent whole again. */
    forget: () => known.clear(),
    folders: () => folders,
    rows: () => counts.entries,
    /** Returns the blocks of all that was listed, and starts the next ones. */
    take(): Uint8Array<ArrayBuffer>[] {
      batches.flush()
      const taken = packed
      packed = []
      folders = counts.entries = 0
      return taken
    },
  }
}
export type Lister = ReturnType<typeof newLister>

/** Records a folder, and only entries that differ from `before`, with marks for those that are gone. `entries` is undefined if it can't be listed to its end. */
function recordDiffering(folder: Folder, recording: FolderRecording, before: Fingerprints | undefined) {
  const { batches } = recording
  const listing = noting(recording, before)
  const isPartial = () => before !== undefined && listing.isComplete()
  const recorded = recordFolder(folder, {
    ...recording,
    system: listing.system,
    batches: { ...batches, addListed: (...mark) => (isPartial() ? undefined : batches.addListed(...mark)) },
  })
  if (isPartial())
    for (const name of before?.keys() ?? [])
      if (!listing.entries.has(name)) batches.addGone({ parentPath: pathOfChildren(folder), name }, 0)
  // Without a pace, no listing leaves a rest.
  const { parentPath, names } = 'names' in recorded ? recorded : { parentPath: '', names: [] }
  return {
    below: names.map((name) => ({ path: parentPath + name, inode: listing.inodes.get(name) ?? 0 })),
    isWhole: !isPartial(),
    entries: listing.isComplete() ? listing.entries : undefined,
  }
}

/** Notes the entries that are listed, and the inodes of folders. Files that are unchanged since `before` are not shown. */
function noting({ system, pulse }: FolderRecording, before: Fingerprints | undefined) {
  const inodes = new Map<string, number>()
  const entries: Fingerprints = new Map()
  let isComplete = false
  const list: FolderSystem['list'] = (path, show) => {
    const rest = system.list(path, (entry) => {
      const name = nameOf(entry)
      const print = entry.error === undefined ? fingerprint(entry.stat) : NaN
      entries.set(name, print)
      if (isFolder(entry.stat)) inodes.set(name, inodeOf(entry.stat))
      else if (before?.get(name) === print) return pulse()
      show(entry)
    })
    isComplete = true
    return rest
  }
  return { system: { ...system, list }, entries, inodes, isComplete: () => isComplete }
}
