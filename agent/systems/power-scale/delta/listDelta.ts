import type { EntryRow } from '#events/scans/entryRow.ts'
import type { Page } from '../../system.ts'
import type { Baseline } from '../baseline.ts'
import type { Client } from '../client.ts'
import type { Directories } from '../listing/directories.ts'
import { directoryParts, type Head, writePart } from '../listing/parts.ts'
import { allocatedSizeOf, typeBitsOfChange } from '../unconfirmed.ts'
import { applyChanges, type ChangedEntry } from './applyChanges.ts'
import { isFolder, isGone } from './change.ts'
import { changelistId, createChangelist, readChanges, type SnapshotPair } from './changelist.ts'
import { FullScanNeeded, reasons } from './fullScan.ts'
import { countLinks, type LinkCounts } from './hardLinks.ts'
import { readOwnerNames, type OwnerNames } from './owners.ts'
import { resolvePaths } from './resolvePaths.ts'
import type { IgnoreRules } from './rules.ts'

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
  signal: AbortSignal
}

/** Lists the differences between two snapshots. Throws `FullScanNeeded` where the cluster does not tell them all. */
export async function listDelta(
  client: Client,
  head: Head,
  options: DeltaOptions,
): Promise<{ page: Page; links: Baseline['links'] }> {
  const { pair, olderAt, rules, signal } = options
  await createChangelist(client, pair, signal)
  const changes = await resolvePaths(await readChanges(client, changelistId(pair), signal), options)
  const { entries, gone, unlisted } = applyChanges(changes, { ...rules, olderAt })
  const live = entries.map(({ change }) => change)
  if (live.some(({ fileType }) => !typeBitsOfChange.has(fileType))) throw new FullScanNeeded(reasons.noType)
  const present = changes.filter((change) => !isGone(change))
  const { counts, links } = await countLinks(live, present, options.links, options)
  const owners = await readOwnerNames(live, options)
  const rows = entries.map((entry) => rowOf(entry, owners, counts))
  const root = rows.find(({ parentPath }) => parentPath === '')
  const page: Page = {
    isDelta: true,
    entries: rows.filter((row) => row !== root),
    gone,
    ...(root && { root }),
    rest: partsOf(head, unlisted).map(writePart),
  }
  return { page, links }
}

/** The entry of a change. Changelists have no mode, links or link target: of a known entry, those stay. */
function rowOf({ change, isKnown }: ChangedEntry, owners: OwnerNames, links: LinkCounts): EntryRow {
  const { path, lin } = change
  const nameAt = path.lastIndexOf('/') + 1
  const size = isFolder(change) ? 0 : change.size
  return {
    parentPath: path.slice(0, nameAt),
    name: path.slice(nameAt),
    isDirectory: isFolder(change),
    size,
    allocatedSize: allocatedSizeOf(Number(size)),
    linkCount: links.get(lin) ?? 1,
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
