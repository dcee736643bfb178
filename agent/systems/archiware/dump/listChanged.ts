import { setImmediate } from 'node:timers/promises'
import { inParallel } from '../../inParallel.ts'
import { whileBusy } from '../../whileBusy.ts'
import { messageOf } from '../../system.ts'
import type { IndexEntry } from '../entries.ts'
import { NotFound } from '../failures.ts'
import type { Inventory } from '../inventory.ts'
import { receivedName, segmentOf } from '../names.ts'
import { type DumpedEntry, isAsDumped } from '../unconfirmed.ts'
import { DumpUnusable, folderKey, type KnownEntry } from './knownIndex.ts'

/** Folders whose entries differ, and entries in them. With more, all of the index is listed, in pages that need little memory. */
const maxFolders = 5_000
const maxEntries = 200_000
const requestsAtOnce = 4
const maxTries = 5
/** Entries between which the process does other work. */
const entriesPerTurn = 2_000

/** A folder whose entries differ. `isDumped`: the dump has entries in it. */
type ChangedFolder = { folder: string; before: Pick<KnownEntry, 'name' | 'isDirectory'>[]; isDumped: boolean }

/** Finds the folders in which a dump differs from the known entries. Both are in the order of their keys. Throws `DumpUnusable`. */
export async function findChanged(known: Iterable<KnownEntry>, dumped: Iterable<DumpedEntry>, signal: AbortSignal) {
  const changed: ChangedFolder[] = []
  const [left, right] = [byFolder(known), byFolder(dumped)]
  let before = left.next()
  let found = right.next()
  for (let read = 0; !before.done || !found.done;) {
    const order = before.done ? 1 : found.done ? -1 : compare(before.value[0].folder, found.value[0].folder)
    const mine = order <= 0 ? (before.value as KnownEntry[]) : []
    const theirs = order >= 0 ? (found.value as DumpedEntry[]) : []
    const folder = (mine[0] ?? theirs[0])?.folder ?? ''
    if (!isSame(mine, theirs)) changed.push({ folder, before: mine, isDumped: theirs.length > 0 })
    if (changed.length > maxFolders) throw new DumpUnusable(`its dump differs in more than ${maxFolders} folders`)
    if (order <= 0) before = left.next()
    if (order >= 0) found = right.next()
    read += mine.length + theirs.length
    if (read < entriesPerTurn) continue
    read = 0
    await setImmediate()
    signal.throwIfAborted()
  }
  return changed
}

const compare = (a: string, b: string): number => (a === b ? 0 : folderKey(a) < folderKey(b) ? -1 : 1)

function* byFolder<T extends { folder: string }>(entries: Iterable<T>): Generator<[T, ...T[]]> {
  let group: [T, ...T[]] | undefined
  for (const entry of entries) {
    if (group?.[0].folder === entry.folder) {
      group.push(entry)
      continue
    }
    if (group) yield group
    group = [entry]
  }
  if (group) yield group
}

function isSame(known: KnownEntry[], dumped: DumpedEntry[]): boolean {
  const byName = Map.groupBy(dumped, ({ name }) => name)
  return known.length === byName.size && known.every((entry) => isAsDumped(entry, byName.get(entry.name) ?? []))
}

/** Current entries of the folders that changed, by folder, and the paths that are gone. */
export type Changes = { listed: Map<string, IndexEntry[]>; gone: Set<string> }

type Options = { inventory: Inventory; isIgnored: (path: string) => boolean; signal: AbortSignal }

/**
 * Lists the folders that changed, and those that appear in them. The dump only says which: what is sent, and what is gone, is as P5 lists
 * it. Throws `DumpUnusable` if one can't be listed.
 */
export async function listChanged(changed: ChangedFolder[], options: Options): Promise<Changes> {
  const changes: Changes = { listed: new Map(), gone: new Set() }
  const [dumped, others] = [changed.filter(({ isDumped }) => isDumped), changed.filter(({ isDumped }) => !isDumped)]
  await listAll(dumped, changes, options)
  // Folders without entries in the dump are empty, or gone with one above them, which has been listed.
  for (const folder of others) if (!isGone(folder.folder, changes.gone)) await listAll([folder], changes, options)
  return changes
}

async function listAll(folders: ChangedFolder[], changes: Changes, options: Options): Promise<void> {
  let count = 0
  for (let next = folders; next.length > 0;) {
    const found: ChangedFolder[] = []
    await inParallel(next, requestsAtOnce, async ({ folder, before }) => {
      const entries = await entriesOf({ folder, before }, options)
      if (!entries) return
      count += entries.length
      if (count > maxEntries) throw new DumpUnusable(`more than ${maxEntries} entries are in folders that changed`)
      changes.listed.set(folder, entries)
      const names = new Map(entries.map(({ name, isDirectory }) => [name, isDirectory]))
      for (const { name, isDirectory } of before)
        if (isDirectory ? !names.get(name) : !names.has(name)) changes.gone.add(`${folder}/${name}`)
      const known = new Set(before.filter(({ isDirectory }) => isDirectory).map(({ name }) => name))
      for (const { name, isDirectory } of entries)
        if (isDirectory && !known.has(name)) found.push({ folder: `${folder}/${name}`, before: [], isDumped: true })
    })
    next = found.filter(({ folder }) => !changes.listed.has(folder) && !options.isIgnored(folder))
  }
}

/** Entries of a folder; undefined for one that only the dump has, which may have read its name wrongly. */
async function entriesOf(
  { folder, before }: Pick<ChangedFolder, 'folder' | 'before'>,
  { inventory, signal }: Options,
): Promise<IndexEntry[] | undefined> {
  const segments = folder
    .split('/')
    .slice(1)
    .map((name) => segmentOf(receivedName(name)))
  try {
    return await whileBusy(() => inventory.list(segments, signal), signal, maxTries)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NotFound && before.length === 0) return undefined
    throw new DumpUnusable(`${folder === '' ? 'its top' : folder} can't be listed: ${messageOf(error)}`)
  }
}

/** True for a path that is gone, alone or with a folder above it. */
export function isGone(path: string, gone: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (gone.has(at)) return true
  return false
}
