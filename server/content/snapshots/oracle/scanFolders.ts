import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { EntryRow, Unrecorded } from '#events/scans/entryRow.ts'
import { staging } from '#server/workers/ingest/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { commitScan, type Step } from '#server/content/snapshots/commit/commitScan.ts'
import { insertBatch, newScan, type PlannedScan } from './scanDisk.ts'

export type File = Partial<EntryRow> & { path: string }
export type Folder = {
  path: string
  entries: File[]
  unrecorded?: Unrecorded
  unreadable?: boolean
  notEntered?: string
}

/**
 * Scans and commits the folders of a test, of an object store with `hasKeys`; adds the entry of the storage itself. `onStep` is called after each step of
 * the commit.
 */
export async function scanFolders(
  stores: Stores,
  { hasKeys, ...planned }: PlannedScan & { hasKeys?: boolean },
  folders: Folder[],
  onStep?: (step: Step) => Promise<void> | void,
): Promise<number> {
  const scanId = await newScan(stores, planned)
  await staging.create(stores.clickhouse, scanId, { hasKeys: hasKeys === true })
  const id = { attempt: 1, batch: 1 }
  const block = blockOf((rows) => {
    if (!planned.scannedPath) rows.add(rowOf({ path: '', isDirectory: true, inode: 1 }))
    for (const { path, entries, unrecorded, unreadable, notEntered } of folders) {
      for (const file of entries) rows.add(rowOf(file))
      if (unreadable) rows.addUnreadable(rowOf({ path }))
      else if (notEntered !== undefined) rows.addNotEntered(rowOf({ path }), notEntered)
      else rows.addListed(rowOf({ path }), entries.length, unrecorded)
    }
  })
  await insertBatch(stores, scanId, { id, block })
  const announced = { attempt: 1, batches: 1, progress: { entries: 0 } }
  const missing = await staging.missing(stores.clickhouse, scanId, announced, planned.scannedPath)
  if (missing) throw new Error(`The scan lacks ${missing}`)
  await commitScan(stores, scanId, async () => {}, onStep)
  return scanId
}

/** A row of a scan, with facts that most tests don't care about. */
export const rowOf = ({ path, ...facts }: File): EntryRow => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    parentPath: path.slice(0, path.length - name.length),
    name,
    isDirectory: false,
    size: 10,
    allocatedSize: 512,
    linkCount: 1,
    device: 7,
    inode: 9,
    owner: 'ana',
    group: 'staff',
    mode: 0o100644,
    linkTarget: '',
    created: 1_600_000_000,
    modified: 1_600_000_000,
    accessed: 1_600_000_000,
    ...facts,
  }
}
