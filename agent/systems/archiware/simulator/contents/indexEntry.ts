import { caretName } from './caretNames.ts'

/** One archived state of an entry. Times are seconds since 1970; `btime` is the archive time. Sizes are bytes. */
export type Generation = {
  size: number
  btime: number
  mtime: number
  volumes: string[]
  /** Path on the client. Without it the entry has none. */
  physicalPath?: string | undefined
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

type TimedEntry = NewEntry & { btime: number }

export function newEntry(name: string, parent: IndexEntry | undefined, values: TimedEntry): IndexEntry {
  const isDirectory = values.type === 'Directory'
  return {
    name,
    parent,
    children: isDirectory ? new Map() : undefined,
    generations: [newGeneration(isDirectory ? { ...values, size: 0, mtime: 0 } : values)],
    leadingSlash: values.leadingSlash ?? 'optional',
  }
}

export function newGeneration({ btime, ...values }: TimedEntry): Generation {
  const { size = 0, mtime = btime, volumes = [], physicalPath, copy } = values
  return { size, btime, mtime, volumes, physicalPath, copy }
}

export const latestOf = ({ generations }: IndexEntry): Generation => generations.at(-1) as Generation

/** Path of an entry from the root, without a leading slash, in real names or another form of them. */
export function pathOf(entry: IndexEntry, form = (name: string) => name): string {
  const names: string[] = []
  for (let at: IndexEntry | undefined = entry; at?.parent; at = at.parent) names.unshift(form(at.name))
  return names.join('/')
}

/** Entry at names in caret form. */
export function entryAt(root: IndexEntry, names: readonly string[]): IndexEntry | undefined {
  let entry: IndexEntry | undefined = root
  for (const name of names) entry = entry?.children?.get(name)
  return entry
}

/** Entries below one, parents first. */
export function* entriesBelow(entry: IndexEntry): Generator<IndexEntry> {
  const pending = [entry]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next !== entry) yield next
    for (const child of next.children?.values() ?? []) pending.push(child)
  }
}

/** Sets the time of a directory, which changes with its own entries. */
export function touch(directory: IndexEntry | undefined, btime: number): void {
  if (!directory) return
  const latest = latestOf(directory)
  latest.btime = Math.max(latest.btime, btime)
}

/** Child of a directory. It is made if it is missing, or of the other type. */
export function childOf(parent: IndexEntry, name: string, values: TimedEntry): IndexEntry {
  if (!parent.children) throw new Error(`${parent.name} is not a directory`)
  const known = parent.children.get(caretName(name))
  if (known && (known.children !== undefined) === (values.type === 'Directory')) return known
  const entry = newEntry(name, parent, values)
  parent.children.set(caretName(name), entry)
  touch(parent, values.btime)
  return entry
}
