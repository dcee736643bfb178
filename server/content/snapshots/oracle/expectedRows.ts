import { pathOfChildren, type EntryRow } from '#events/scans/entryRow.ts'
import { plausibleTime } from '#events/scans/plausibleTime.ts'
import type { Entries } from './expectedVersions.ts'

/** A version of an entry, as queries should return it. */
export type Row = {
  fromScan: number
  previousPath: string
  parentPath: string
  name: string
  isDirectory: boolean
  extension: string
  depth: number
  size: number
  allocatedSize: number
  countedSize: number
  linkCount: number
  inode: number
  owner: string
  group: string
  mode: number
  linkTarget: string
  created: number
  modified: number
  accessed: number
  files: number
  folders: number
  lastAccess: number
  lastModified: number
  /** Time of the backup; 0 means never. */
  backedUp: number
  unreadable: boolean
}

/** Last use of an entry in seconds; 0 if its access is unknown. */
export const lastUse = ({ lastAccess, lastModified }: Pick<Row, 'lastAccess' | 'lastModified'>): number =>
  lastAccess && Math.max(lastAccess, lastModified)

/** A time as a commit stores it. */
export const known = (seconds: number): number => plausibleTime(seconds, Date.now() / 1000)
const number = (value: number | bigint) => Number(value)

/** Totals of all entries: totals of folders, sizes counted once. */
export function rowsOf(entries: Entries): Map<string, Row> {
  const inOrder = [...entries.entries()].sort(([, a], [, b]) => byKey(a.row, b.row))
  const rows = new Map(inOrder.map(([key, { row, unreadable }]) => [key, asRow(row, unreadable)]))
  const folders = new Map([...rows.values()].flatMap((row) => (row.isDirectory ? [[pathOfChildren(row), row]] : [])))
  const links = new Set<string>()
  const dated = new Set<Row>()
  const linked = new Map<Row, Map<string, Row[]>>()
  for (const [key, { row: facts }] of inOrder) {
    const row = rows.get(key) as Row
    if (!row.isDirectory) countOnce(row, facts, links)
    for (const path of above(row.parentPath)) {
      const folder = folders.get(path) as Row
      add(folder, row)
      if (!row.isDirectory && isLinked(facts) && row.size > 0) noteLink(linked, folder, facts, row)
      // Nothing could be read of a file without size.
      if (!row.isDirectory && row.size >= 0) dated.add(folder)
    }
  }
  for (const row of folders.values()) if (!dated.has(row)) row.lastAccess = row.lastModified = row.modified
  for (const [folder, files] of linked) for (const links of files.values()) countLinksOnce(folder, links)
  for (const folder of folders.values()) folder.countedSize = folder.size
  return rows
}

const isLinked = ({ linkCount, inode }: EntryRow) => linkCount > 1 && number(inode) !== 0
const fileOf = ({ device, inode }: EntryRow) => `${device}:${inode}`

function noteLink(linked: Map<Row, Map<string, Row[]>>, folder: Row, facts: EntryRow, row: Row): void {
  const files = linked.get(folder) ?? new Map<string, Row[]>()
  linked.set(folder, files)
  files.set(fileOf(facts), [...(files.get(fileOf(facts)) ?? []), row])
}

/** Of several links in a folder the largest counts. */
function countLinksOnce(folder: Row, links: Row[]): void {
  for (const column of ['size', 'allocatedSize'] as const) {
    const sizes = links.map((row) => Math.max(row[column], 0))
    folder[column] -= sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes)
  }
}

const byKey = (a: EntryRow, b: EntryRow) =>
  Buffer.compare(Buffer.from(a.parentPath), Buffer.from(b.parentPath)) ||
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) ||
  Number(a.isDirectory) - Number(b.isDirectory)

function asRow(row: EntryRow, unreadable: boolean): Row {
  const { parentPath, name, isDirectory, linkCount, owner, group, mode, linkTarget } = row
  const dot = name.lastIndexOf('.')
  return {
    fromScan: 0,
    previousPath: '',
    parentPath,
    name,
    isDirectory,
    linkCount,
    owner,
    group,
    mode,
    linkTarget,
    extension:
      !isDirectory && dot > 0
        ? name
            .slice(dot + 1)
            .replace(/^ +| +$/g, '')
            .toLowerCase()
        : '',
    depth: parentPath.split('/').length - 1,
    size: isDirectory ? 0 : number(row.size),
    allocatedSize: isDirectory ? 0 : number(row.allocatedSize),
    countedSize: isDirectory ? 0 : number(row.size),
    inode: number(row.inode),
    created: known(row.created),
    modified: known(row.modified),
    accessed: known(row.accessed),
    files: 0,
    folders: 0,
    lastAccess: isDirectory ? 0 : known(row.accessed),
    lastModified: isDirectory ? 0 : known(row.modified),
    backedUp: known(row.backupDate ?? 0),
    unreadable,
  }
}

function countOnce(row: Row, facts: EntryRow, links: Set<string>): void {
  if (!isLinked(facts)) return
  const file = fileOf(facts)
  if (links.has(file) && row.size > 0) row.countedSize = 0
  links.add(file)
}

const above = (parentPath: string): string[] =>
  [...parentPath].flatMap((character, i, all) => (character === '/' ? [all.slice(0, i + 1).join('')] : []))

function add(folder: Row, row: Row): void {
  if (row.isDirectory) return void folder.folders++
  folder.files++
  folder.size += Math.max(row.size, 0)
  folder.allocatedSize += Math.max(row.allocatedSize, 0)
  folder.lastAccess = Math.max(folder.lastAccess, row.linkTarget === '' ? row.lastAccess : row.modified)
  folder.lastModified = Math.max(folder.lastModified, row.lastModified)
}
