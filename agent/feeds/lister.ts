import type { FollowOrder } from '#events/feeds/follow.ts'
import { isInQuarantine } from '#events/scans/notEntered.ts'
import { newBatches } from '../scan/batches.ts'
import { folderOf } from '../scan/folders/folderStack.ts'
import { writeDiskEntry } from '../scan/folders/recordDiskEntry.ts'
import { type FolderRecording, recordFolder } from '../scan/folders/recordFolder.ts'
import { noCounts } from '../scan/progress.ts'
import { rulesOf } from '../scan/rules.ts'
import type { openBoundaries } from '../systems/local/boundaries.ts'
import { nameOf } from '../systems/local/diskEntry.ts'
import type { FolderSystem } from '../systems/local/index.ts'
import type { Owners } from '../systems/local/owners.ts'
import { inodeOf, isFolder } from '../systems/local/statx.ts'

type Options = {
  order: FollowOrder
  boundaries: ReturnType<typeof openBoundaries>
  owners: Owners
  /** Called at each entry, because a folder may have millions. */
  pulse: () => void
}

/** The folders in a folder that was listed and that a scan enters, with their inodes. */
export type Below = { path: string; inode: number }[]

/** Only for file systems that aren't followed, or for scans. */
const unused = { loops: undefined, fillBlocks: undefined, digests: undefined, pace: undefined, turn: undefined }

/** Lists folders as a scan does, by its own rules and functions, into blocks. */
export function newLister({ order, boundaries, owners, pulse }: Options) {
  const rules = rulesOf(order)
  const counts = noCounts()
  let packed: Uint8Array<ArrayBuffer>[] = []
  const batches = newBatches({ nextBatch: () => 0, send: (batch) => packed.push(batch.packed), owners })
  const shared = { ...unused, unreadable: () => {}, batches, counts, files: 0, rules, boundaries, pulse }
  let folders = 0
  return {
    /** True for a folder that a scan doesn't list. */
    leavesOut(path: string): boolean {
      const { parentPath, name } = folderOf(path)
      return path !== '' && (rules.leavesOut(parentPath, name) || isInQuarantine(path) || boundaries.isOutside(path))
    },
    /** Lists a folder. Undefined if no folder is there. Throws `ScanFailed` if the root can't be listed. `device` is that of the root. */
    list(path: string, system: FolderSystem, device: bigint): Below | undefined {
      const folder = folderOf(path)
      const entry = path === '' ? undefined : system.entry(path)
      if (path !== '' && (!entry || !isFolder(entry.stat))) return undefined
      if (entry) writeDiskEntry(entry, batches.folder(folder.parentPath), batches)
      const inodes = new Map<string, number>()
      folders++
      const recording: FolderRecording = {
        ...shared,
        system: noting(system, inodes),
        device,
      }
      const below = recordFolder(folder, recording)
      // Without a pace, no listing leaves a rest.
      if (!('names' in below)) return []
      return below.names.map((name) => ({ path: below.parentPath + name, inode: inodes.get(name) ?? 0 }))
    },
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

/** Notes the inodes of the folders that are shown. */
const noting = (system: FolderSystem, inodes: Map<string, number>): FolderSystem => ({
  ...system,
  list: (path, show) =>
    system.list(path, (entry) => {
      if (isFolder(entry.stat)) inodes.set(nameOf(entry), inodeOf(entry.stat))
      show(entry)
    }),
})
