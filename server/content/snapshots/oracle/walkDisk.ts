import type { BlockWriter } from '#events/node/blocks/blockWriter.ts'
import type { EntryRow, FileTotals } from '#events/scans/entryRow.ts'
import { type Disk, linkCounts, type Node } from './disk.ts'

/** An agent's observation: an entry, or the end of a folder's listing. */
export type SeenEntry =
  | { kind: 'entry'; row: EntryRow }
  | { kind: 'listed' | 'unreadable'; parentPath: string; name: string; children: number }
/**
 * A sent record: also an unchanged folder with the scan it equals, and with the totals of its files if they are left
 * out.
 */
export type SentEntry =
  | SeenEntry
  | { kind: 'unchanged'; parentPath: string; name: string; scan: number; totals?: FileTotals }

/**
 * Walks a folder and everything below it, like a new scan of that path, or like a resumed one with its pending folders.
 */
export function walkDisk(disk: Disk, path = '', resumed = false): SeenEntry[] {
  const links = linkCounts(disk)
  const names = path.split('/').slice(1)
  const seen: SeenEntry[] = []
  let node: Node | undefined = disk.root
  let parentPath = ''
  const way = () => {
    if (node?.children && !resumed) seen.push({ kind: 'entry', row: rowOf(parentPath, node, links) })
  }
  way()
  for (const name of names) {
    parentPath += `${node?.name ?? ''}/`
    node = node?.children?.get(name)
    if (!node) break
    way()
  }
  if (node) walkFolder(node, parentPath, links, seen)
  else
    seen.push({
      kind: 'listed',
      parentPath: path.slice(0, path.lastIndexOf('/') + 1),
      name: names.at(-1) ?? '',
      children: 0,
    })
  return seen
}

function walkFolder(folder: Node, parentPath: string, links: ReturnType<typeof linkCounts>, seen: SeenEntry[]): void {
  const { name } = folder
  const all = [...(folder.children?.values() ?? [])]
  const listed = folder.unreadable === 'no' ? all : folder.unreadable === 'wholly' ? [] : all.slice(0, all.length / 2)
  const path = `${parentPath}${name}/`
  for (const child of listed) seen.push({ kind: 'entry', row: rowOf(path, child, links) })
  const kind = folder.unreadable === 'no' ? 'listed' : 'unreadable'
  seen.push({ kind, parentPath, name, children: kind === 'listed' ? listed.length : 0 })
  for (const child of listed) if (child.children) walkFolder(child, path, links, seen)
}

function rowOf(parentPath: string, node: Node, links: ReturnType<typeof linkCounts>): EntryRow {
  const isDirectory = node.children !== undefined
  if (node.failing) return { ...nothingKnown, parentPath, name: node.name, isDirectory }
  const { inode, size, owner, mode, target, created, modified, accessed, backedUp } = node.facts
  return {
    parentPath,
    name: node.name,
    isDirectory,
    size,
    inode,
    owner,
    mode,
    created,
    modified,
    accessed,
    allocatedSize: isDirectory ? 4096 : Math.ceil(size / 512) * 512,
    linkCount: isDirectory ? 2 : (links.get(node.facts) ?? 1),
    device: 7,
    group: `of ${owner}`,
    linkTarget: target,
    backupDate: backedUp,
  }
}

const nothingKnown = {
  size: -1,
  allocatedSize: -1,
  linkCount: 0,
  device: 0,
  inode: 0,
  owner: '',
  group: '',
  mode: 0,
  linkTarget: '',
  created: 0,
  modified: 0,
  accessed: 0,
}

/** Adds the row of a record. */
export function addSeen(rows: BlockWriter, seen: SentEntry): void {
  if (seen.kind === 'entry') rows.add(seen.row)
  else if (seen.kind === 'unchanged') rows.addUnchanged(seen, seen.scan, seen.totals)
  else if (seen.kind === 'listed') rows.addListed(seen, seen.children)
  else rows.addUnreadable(seen)
}
