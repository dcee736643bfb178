import { caretName } from './caretNames.ts'

/** One archived state of an entry. Times are seconds since 1970; `btime` is the archive time. Sizes are bytes. */
export type Generation = {
  size: number
  btime: number
  mtime: number
  volumes: string[]
  /** Path on the client. Without it the entry has none. */
  physicalPath?: string | undefined
  checksum?: string | undefined
  metadata?: Record<string, string> | undefined
  /** Copy of the content on this machine's disk. Without it a restore writes zeros. */
  copy?: string | undefined
}

/** A file or directory; directories have children and one generation. Names are those of the file system. */
export type IndexEntry = {
  name: string
  parent: IndexEntry | undefined
  children: Map<string, IndexEntry> | undefined
  /** Oldest first, at least one. */
  generations: Generation[]
  /** Paths in headers: with a leading slash only, without one only, or both. */
  leadingSlash: 'required' | 'refused' | 'optional'
}

export type NewEntry = Partial<Generation> & {
  type?: 'File' | 'Directory'
  leadingSlash?: IndexEntry['leadingSlash']
}

export type IndexOptions = {
  /** The index is of imported volumes: its top folders are volume labels, which are never listed. */
  isImported?: boolean
  /** A directory's time changes with its own entries, with any entry below it, or never. */
  directoryTimes?: 'own' | 'subtree' | 'fixed'
  /** Metadata keys. */
  keys?: string[]
}

export type ArchiveIndex = ReturnType<typeof newIndex>

/** Contents of an archive index. Paths have the real names and may have a leading slash. `now` gives seconds. */
export function newIndex(name: string, now: () => number, options: IndexOptions = {}) {
  const { isImported = false, directoryTimes = 'own', keys = ['description'] } = options
  const root = newEntry('', undefined, { type: 'Directory', btime: now() })
  const findListed = (names: readonly string[]): IndexEntry | undefined => {
    let entry: IndexEntry | undefined = root
    for (const name of names) entry = entry?.children?.get(name)
    return entry
  }
  const find = (path: string) => findListed(segmentsOf(path).map(caretName))
  return {
    name,
    isImported,
    keys,
    root,
    handles: newHandles(name),
    find,
    /** Finds an entry by the names of an inventory, in caret form. */
    findListed,
    /** Adds an entry with its folders. A file that exists gets another generation. */
    add(path: string, values: NewEntry = {}): IndexEntry {
      const btime = values.btime ?? now()
      const names = segmentsOf(path)
      const name = names.pop() ?? ''
      let parent = root
      for (const folder of names) parent = childOf(parent, folder, { type: 'Directory', btime }, directoryTimes)
      const known = parent.children?.get(caretName(name))
      if (known && !known.children) known.generations.push(newGeneration({ ...values, btime }))
      touch(parent, btime, directoryTimes)
      return known ?? childOf(parent, name, { ...values, btime }, directoryTimes)
    },
    /** Archives an entry again: a file gets a generation with these changes, a directory another time. */
    change(path: string, changes: Partial<Generation>): void {
      const entry = find(path)
      if (!entry) throw new Error(`The index has no ${path}`)
      const btime = changes.btime ?? now()
      if (entry.children) latestOf(entry).btime = btime
      else entry.generations.push({ ...latestOf(entry), ...changes, btime })
      touch(entry.parent, btime, directoryTimes)
    },
    /** Removes an entry and all below it. */
    remove(path: string): void {
      const entry = find(path)
      entry?.parent?.children?.delete(caretName(entry.name))
    },
    /** Entries below one, parents first, without the entry itself. */
    entries: (from: IndexEntry = root): Iterable<IndexEntry> => entriesBelow(from),
  }
}

/** Sets the time of a directory, and of those above it where times change with any entry below. */
function touch(directory: IndexEntry | undefined, btime: number, times: IndexOptions['directoryTimes']): void {
  if (times === 'fixed') return
  for (let at = directory; at; at = times === 'own' ? undefined : at.parent) {
    const latest = latestOf(at)
    latest.btime = Math.max(latest.btime, btime)
  }
}

/** Child of a directory, which is made if it is missing. */
function childOf(
  parent: IndexEntry,
  name: string,
  values: TimedEntry,
  times: IndexOptions['directoryTimes'],
): IndexEntry {
  if (!parent.children) throw new Error(`${parent.name} is not a directory`)
  const known = parent.children.get(caretName(name))
  if (known) return known
  const entry = newEntry(name, parent, values)
  parent.children.set(caretName(name), entry)
  touch(parent, values.btime, times)
  return entry
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

function* entriesBelow(entry: IndexEntry): Generator<IndexEntry> {
  const pending = [entry]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next !== entry) yield next
    for (const child of next.children?.values() ?? []) pending.push(child)
  }
}

const segmentsOf = (path: string): string[] => path.split('/').filter((name) => name !== '')

type TimedEntry = NewEntry & { btime: number }

function newEntry(name: string, parent: IndexEntry | undefined, values: TimedEntry): IndexEntry {
  const isDirectory = values.type === 'Directory'
  return {
    name,
    parent,
    children: isDirectory ? new Map() : undefined,
    generations: [newGeneration(isDirectory ? { ...values, size: 0, mtime: 0 } : values)],
    leadingSlash: values.leadingSlash ?? 'optional',
  }
}

function newGeneration({ btime, ...values }: TimedEntry): Generation {
  const { size = 0, mtime = btime, volumes = [], physicalPath, checksum, metadata, copy } = values
  return { size, btime, mtime, volumes, physicalPath, checksum, metadata, copy }
}

export const latestOf = ({ generations }: IndexEntry): Generation => generations.at(-1) as Generation

/** Path of an entry from the root, without a leading slash, in real names or another form of them. */
export function pathOf(entry: IndexEntry, form = (name: string) => name): string {
  const names: string[] = []
  for (let at: IndexEntry | undefined = entry; at?.parent; at = at.parent) names.unshift(form(at.name))
  return names.join('/')
}
