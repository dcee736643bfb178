import { caretName } from './caretNames.ts'
import {
  childOf,
  entriesBelow,
  entryAt,
  type Generation,
  type IndexEntry,
  latestOf,
  newEntry,
  newGeneration,
  type NewEntry,
  touch,
} from './indexEntry.ts'

export type IndexOptions = {
  /** The index is of imported volumes: its top folders are volume labels, which are never listed. */
  isImported?: boolean
}

export type ArchiveIndex = ReturnType<typeof newIndex>

/** Contents of an archive index. Paths have the real names and may have a leading slash. `now` gives seconds. */
export function newIndex(name: string, now: () => number, { isImported = false }: IndexOptions = {}) {
  const root = newEntry('', undefined, { type: 'Directory', btime: now() })
  const find = (path: string) => entryAt(root, segmentsOf(path).map(caretName))
  // Files of one folder are mostly added one after another.
  let latest = { path: '', folder: root }
  const folderAt = (path: string, btime: number): IndexEntry => {
    if (path === latest.path) return latest.folder
    let folder = root
    for (const name of segmentsOf(path)) folder = childOf(folder, name, { type: 'Directory', btime })
    latest = { path, folder }
    return folder
  }
  return {
    name,
    isImported,
    root,
    handles: newHandles(name),
    find,
    /** Finds an entry by the names of an inventory, in caret form. */
    findListed: (names: readonly string[]) => entryAt(root, names),
    /** Adds an entry with its folders. A file that exists gets another generation; an entry of the other type is replaced. */
    add(path: string, values: NewEntry = {}): IndexEntry {
      const btime = values.btime ?? now()
      const nameAt = path.lastIndexOf('/') + 1
      const name = path.slice(nameAt)
      const parent = folderAt(path.slice(0, nameAt), btime)
      const before = parent.children?.get(caretName(name))
      const entry = childOf(parent, name, { ...values, btime })
      if (entry === before && !entry.children) entry.generations.push(newGeneration({ ...values, btime }))
      if (before && entry !== before) latest = { path: '', folder: root }
      touch(parent, btime)
      return entry
    },
    /** Archives an entry again: a file gets a generation with these changes, a directory another time. */
    change(path: string, changes: Partial<Generation>): void {
      const entry = find(path)
      if (!entry) throw new Error(`The index has no ${path}`)
      const btime = changes.btime ?? now()
      if (entry.children) latestOf(entry).btime = btime
      else entry.generations.push({ ...latestOf(entry), ...changes, btime })
      touch(entry.parent, btime)
    },
    /** Removes an entry and all below it. */
    remove(path: string): void {
      const entry = find(path)
      entry?.parent?.children?.delete(caretName(entry.name))
      latest = { path: '', folder: root }
    },
    /** Entries below one, parents first, without the entry itself. */
    entries: (from: IndexEntry = root): Iterable<IndexEntry> => entriesBelow(from),
  }
}

/** Handles of paths. A path keeps its handle, and gets one before its entry appears. */
function newHandles(index: string) {
  const numbers = new Map<string, number>()
  const paths: string[] = []
  return {
    of(path: string): string {
      const known = numbers.get(path) ?? paths.push(path) - 1
      numbers.set(path, known)
      return `${index}#${(known + 0x1a2b).toString(16)}`
    },
    pathOf: (handle: string): string | undefined =>
      handle.startsWith(`${index}#`) ? paths[Number.parseInt(handle.slice(index.length + 1), 16) - 0x1a2b] : undefined,
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((name) => name !== '')
