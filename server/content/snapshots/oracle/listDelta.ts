import type { BlockWriter } from '#events/node/blocks/blockWriter.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { type Disk, type Node, places } from './disk.ts'
import type { Random } from './random.ts'
import { walkDisk } from './walkDisk.ts'

/** The entries of a disk at some time, by node; a node stays the same when it moves. */
export type KnownEntries = Map<Node, { parent: Node | undefined; row: EntryRow }>

/** Records a disk without unreadable parts. */
export function rememberDisk(disk: Disk): KnownEntries {
  const rows = new Map(
    walkDisk(disk).flatMap((seen) => (seen.kind === 'entry' ? [[seen.row.parentPath + seen.row.name, seen.row]] : [])),
  )
  const all = [{ parent: undefined, node: disk.root, path: '' }, ...places(disk)]
  return new Map(all.map(({ parent, node, path }) => [node, { parent, row: { ...(rows.get(path) as EntryRow) } }]))
}

export type ListedChange = (rows: BlockWriter, comparedScan: number) => void

/**
 * A storage's list of changes, in any order: moved folders without their contents, removed folders with or without
 * them, and some changed entries without modes and links.
 */
export function listDelta(random: Random, before: KnownEntries, now: KnownEntries): ListedChange[] {
  const changes: ListedChange[] = []
  const gone = ({ parentPath, name }: EntryRow, movedTo?: string) =>
    changes.push((rows, scan) => rows.addGone({ parentPath, name }, scan, movedTo))
  const entry = (row: EntryRow) => changes.push((rows) => rows.add(row))
  for (const [node, { row, parent }] of before)
    if (!now.has(node) && ((parent && now.has(parent)) || random.chance(0.7))) gone(row)
  for (const [node, { row, parent }] of now) {
    const old = before.get(node)
    if (!old) entry(row)
    else if (old.parent !== parent || old.row.name !== row.name) {
      gone(old.row, row.parentPath + row.name)
      entry(row)
    } else if (!isSame(old.row, row)) entry(isSame(partOf(old.row), partOf(row)) ? partly(random, row) : row)
  }
  return changes.sort(() => random.next() - 0.5)
}

const partOf = ({ mode, linkCount, linkTarget, metadata, storageClass }: EntryRow) => ({
  mode,
  linkCount,
  linkTarget,
  metadata,
  storageClass,
})
const isSame = (one: object, other: object): boolean =>
  JSON.stringify({ ...one, parentPath: '' }) === JSON.stringify({ ...other, parentPath: '' })

const partly = (random: Random, row: EntryRow): EntryRow =>
  random.chance(0.5) ? row : { ...row, mode: 0, linkCount: 1, linkTarget: '', partial: true }
