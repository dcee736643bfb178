import type { EntryRow } from '#events/scans/entryRow.ts'
import type { Page } from '../../system.ts'
import type { Baseline } from '../baseline.ts'
import type { Client } from '../client.ts'
import type { Directories } from '../listing/directories.ts'
import { directoryParts, type Head, writePart } from '../listing/parts.ts'
import { allocatedSizeOf, typeBitsOfChange } from '../unconfirmed.ts'
import { type AppliedChanges, applyChanges, type ChangedEntry } from './applyChanges.ts'
import { isFolder, newChangeRecords } from './change.ts'
import { changelistId, createChangelist, readChanges, type SnapshotPair } from './changelist.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'
import { hasLinks, newLinkCheck } from './hardLinks.ts'
import { newOwnerReader, type OwnerNames } from './owners.ts'
import { newPlacer, resolvePaths } from './resolvePaths.ts'
import type { IgnoreRules } from './rules.ts'
import { type SpillFile, visitInTurns } from '../../sortedRecords.ts'

export type DeltaOptions = {
  pair: SnapshotPair
  /** Time of the older snapshot, in seconds UTC. */
  olderAt: number
  /** Hard links of the older snapshot, as its baseline says. */
  links: Baseline['links']
  /** Directories of the newer snapshot. */
  directories: Directories
  /** Path of the storage on the cluster. */
  root: string
  rules: IgnoreRules
  /** File for changes that exceed memory. */
  spill: SpillFile
  signal: AbortSignal
}

/**
 * Lists the differences between two snapshots. Throws `FullScanNeeded` where the cluster does not tell them all. The page reads `spill`,
 * and closes it once all entries are read.
 */
export async function listDelta(
  client: Client,
  head: Head,
  options: DeltaOptions,
): Promise<{ page: Page; links: Baseline['links'] }> {
  const { pair, olderAt, rules, spill, signal } = options
  await createChangelist(client, pair, signal)
  const changes = newChangeRecords(spill)
  const placer = newPlacer(changes)
  await readChanges(client, changelistId(pair), placer.add, signal)
  await resolvePaths(placer.lost, changes, options)
  const applied = await applyChanges(changes, { ...rules, olderAt, spill, signal })
  const links = newLinkCheck(options.links, applied.namesEachLink, options)
  const owners = newOwnerReader(options)
  let root: ChangedEntry | undefined
  const see = (entry: ChangedEntry) => {
    if (!typeBitsOfChange.has(entry.change.fileType)) throw new FullScanNeeded(reasons.noType)
    if (entry.change.path === '') root = entry
    links.see(entry)
    owners.see(entry.change)
  }
  await visitInTurns(applied.entries(), see, signal)
  const linksNow = await links.links()
  const names = await owners.names()
  const page: Page = {
    isDelta: true,
    entries: rowsOf(applied, names, spill),
    gone: applied.gone(),
    ...(root && { root: rowOf(root, names) }),
    rest: partsOf(head, applied.unlisted).map(writePart),
  }
  return { page, links: linksNow }
}

/** Rows of all entries except that of the root. */
function* rowsOf({ entries }: AppliedChanges, owners: OwnerNames, spill: SpillFile): Generator<EntryRow> {
  for (const entry of entries()) if (entry.change.path !== '') yield rowOf(entry, owners)
  spill.close()
}

/** The entry of a change. Changelists have no mode, links or link target: of a known entry, those stay. */
function rowOf(entry: ChangedEntry, owners: OwnerNames): EntryRow {
  const { change, isKnown, named } = entry
  const { path, lin } = change
  const nameAt = path.lastIndexOf('/') + 1
  const size = isFolder(change) ? 0 : change.size
  return {
    parentPath: path.slice(0, nameAt),
    name: path.slice(nameAt),
    isDirectory: isFolder(change),
    size,
    allocatedSize: allocatedSizeOf(Number(size)),
    linkCount: hasLinks(entry) ? named : 1,
    device: 0,
    inode: lin,
    owner: owners.owner(change.uid),
    group: owners.group(change.gid),
    mode: typeBitsOfChange.get(change.fileType) ?? 0,
    linkTarget: '',
    created: change.created,
    modified: change.modified,
    accessed: change.accessed,
    ...(isKnown && { partial: true }),
  }
}

function partsOf(head: Head, directories: readonly string[]) {
  const byParent = Map.groupBy(directories, (path) => path.slice(0, path.lastIndexOf('/')))
  return [...byParent].flatMap(([parent, paths]) =>
    directoryParts(
      head,
      parent,
      paths.map((path) => path.slice(parent.length + 1)),
    ),
  )
}
