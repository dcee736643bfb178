import type { EntryRow } from '#events/scans/entryRow.ts'
import { objectEntry } from '../objectEntry.ts'
import type { Client } from './client.ts'
import { NotFound } from './failures.ts'
import { readList } from './lists.ts'
import { isName, segmentOf, shownName } from './names.ts'
import {
  isDirectory,
  numberOfProperty,
  rootPaths,
  textOfProperty,
  usualTopFolders,
  volumeIdsOf,
} from './unconfirmed.ts'

/** An entry of a level of an index. Sizes are bytes, times seconds UTC, 0 for none; a size of -1 is unknown. */
export type IndexEntry = {
  /** Name in calls, as a segment of a URL. */
  segment: string
  name: string
  isDirectory: boolean
  size: number
  modified: number
  created: number
  archived: number
  volumeIds: string[]
}

/** A folder of an index as the segments that lead there; none is the top. */
export type Segments = readonly string[]

/**
 * Lists folders of an index, each in one request: P5 has no pages. Throws what the client throws, `NotFound` for a folder that is not
 * there.
 */
export function newInventory(client: Client, index: string) {
  const base = `archive/indexes/${segmentOf(index)}`
  const read = (body: unknown) => readList('inventory')(body)?.flatMap(entryOf)
  // The walk repeats a request that fails, with longer pauses.
  const list = (path: string, signal: AbortSignal) =>
    client.call('GET', `${base}/${path}`, { read, signal, tries: 1 }).then(withoutRepeats)

  return {
    list: (folder: Segments, signal: AbortSignal): Promise<IndexEntry[]> =>
      folder.length === 0 ? listTop(signal) : list(`inventory/${folder.join('/')}`, signal),
  }

  /** Lists the top level. Where P5 can't, its usual folders that exist are its entries. */
  async function listTop(signal: AbortSignal): Promise<IndexEntry[]> {
    const tops: (IndexEntry[] | NotFound)[] = []
    for (const path of rootPaths) {
      const top = await list(path, signal).catch(orNotFound)
      if (Array.isArray(top) && top.length > 0) return top
      tops.push(top)
    }
    const found: IndexEntry[] = []
    for (const name of usualTopFolders)
      if (Array.isArray(await list(`inventory/${name}`, signal).catch(orNotFound))) found.push(topFolder(name))
    const missing = tops.find((top) => top instanceof NotFound)
    if (missing && found.length === 0 && !tops.some(Array.isArray)) throw missing
    return found
  }
}

function orNotFound(error: unknown): NotFound {
  if (error instanceof NotFound) return error
  throw error
}

const topFolder = (name: string): IndexEntry => ({
  segment: segmentOf(name),
  name,
  isDirectory: true,
  size: 0,
  modified: 0,
  created: 0,
  archived: 0,
  volumeIds: [],
})

function entryOf(listed: object): IndexEntry[] {
  const received = 'name' in listed && typeof listed.name === 'string' ? listed.name : ''
  if (!isName(received)) return []
  const isFolder = isDirectory(listed)
  const timeOf = (name: string) => Math.max(0, numberOfProperty(listed, name) ?? 0)
  const entry = {
    segment: segmentOf(received),
    name: shownName(received),
    isDirectory: isFolder,
    size: isFolder ? 0 : Math.max(-1, numberOfProperty(listed, 'size') ?? -1),
    modified: timeOf('mtime'),
    created: timeOf('ctime'),
    archived: timeOf('btime'),
    volumeIds: volumeIdsOf(listed),
  }
  return [entry]
}

/** Entries with one of each name: the last archived, should P5 list several generations. */
function withoutRepeats(entries: IndexEntry[]): IndexEntry[] {
  const byName = new Map<string, IndexEntry>()
  for (const entry of entries) {
    const key = `${entry.isDirectory ? '/' : ''}${entry.name}`
    const known = byName.get(key)
    if (!known || known.archived < entry.archived) byName.set(key, entry)
  }
  return byName.size === entries.length ? entries : [...byName.values()]
}

/** Row of an entry in a folder such as '/a/b', '' being the top. */
export function rowOf(entry: IndexEntry, folder: string, volumes: string): EntryRow {
  const { name, size, modified, created, archived, isDirectory } = entry
  return {
    ...objectEntry({ key: `${folder.slice(1)}${folder && '/'}${name}`, size, modified, created }),
    isDirectory,
    ...(archived > 0 && { backupDate: archived }),
    ...(volumes !== '' && { metadata: { volumes } }),
  }
}
