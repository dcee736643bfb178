import type { EntryRow } from '#events/scans/entryRow.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { objectEntry } from '../objectEntry.ts'
import { readList } from './lists.ts'
import { isName, segmentOf } from './names.ts'
import { isDirectory, type ListedEntry, numberOf, volumeIdsOf } from './unconfirmed.ts'

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

/** A folder that P5 has, without any data about it. */
export const folderEntry = (received: string): IndexEntry => ({
  segment: segmentOf(received),
  name: shownName(received),
  isDirectory: true,
  size: 0,
  modified: 0,
  created: 0,
  archived: 0,
  volumeIds: [],
})

/** Entries of a level. */
const maxEntries = 300_000

/**
 * Entries of an answer to `inventory`, with one of each name: the last archived, should P5 list several generations. Undefined for an
 * answer that P5 would not send.
 */
export function readInventory(body: unknown): IndexEntry[] | undefined {
  const listed = readList('inventory', maxEntries)(body)
  if (listed === undefined) return undefined
  const byName = new Map<string, IndexEntry>()
  for (const each of listed) {
    const entry = entryOf(each)
    const key = entry && `${entry.isDirectory ? '/' : ''}${entry.name}`
    if (key && (byName.get(key)?.archived ?? -1) < entry.archived) byName.set(key, entry)
  }
  return [...byName.values()]
}

type ListedFile = ListedEntry & Partial<Record<'name' | 'size' | 'mtime' | 'ctime' | 'btime', unknown>>

function entryOf(listed: ListedFile): IndexEntry | undefined {
  const { name, size, mtime, ctime, btime } = listed
  if (typeof name !== 'string' || !isName(name)) return undefined
  const isFolder = isDirectory(listed)
  return {
    segment: segmentOf(name),
    name: shownName(name),
    isDirectory: isFolder,
    size: isFolder ? 0 : Math.max(-1, numberOf(size) ?? -1),
    modified: timeOf(mtime),
    created: timeOf(ctime),
    archived: timeOf(btime),
    volumeIds: volumeIdsOf(listed),
  }
}

const timeOf = (value: unknown): number => Math.max(0, numberOf(value) ?? 0)

/** Rows of the entries of a folder such as '/a/b', '' being the top. `labels` names volumes by their IDs. */
export function* rowsOf(entries: IndexEntry[], folder: string, labels: Map<string, string>): Generator<EntryRow> {
  for (const { name, size, modified, created, archived, isDirectory, volumeIds } of entries)
    yield {
      ...objectEntry({ key: `${folder}/${name}`.slice(1), size, modified, created }),
      isDirectory,
      ...(archived > 0 && { backupDate: archived }),
      ...(volumeIds.length > 0 && { metadata: { volumes: volumeIds.map((id) => labels.get(id) ?? id).join(', ') } }),
    }
}
