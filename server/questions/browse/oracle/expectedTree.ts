import { type Entry, EntrySummary } from '#events/entries.ts'
import { known } from '#server/questions/search/oracle/chosen.ts'
import type { KnownEntry } from '#server/questions/search/oracle/known.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'

/** The expected response for an entry. If copies are not looked up, only unique entries are known to have none. */
export function shown(
  { row, path, volumeId, volumeName, scannedOn, dupe, tags }: KnownEntry,
  looked: boolean,
): Partial<Entry> {
  const { name, isDirectory, size, allocatedSize, owner, mode, previousPath, files, folders } = row
  const lastModified = known(row.lastModified)
  return {
    name,
    isDirectory,
    size,
    allocatedSize,
    owner,
    mode,
    previousPath,
    path,
    fullPath: path === '/' ? `/${volumeName}` : `/${volumeName}${path}`,
    volumeId,
    volumeName,
    dupe: looked || identity(row) === undefined ? dupe : null,
    indexingDate: scannedOn,
    customTag: tags,
    numberOfFiles: isDirectory ? files : null,
    numberOfFolders: isDirectory ? folders : null,
    lastModified: lastModified === undefined ? null : new Date(lastModified * 1000).toISOString(),
  }
}

/** The expected list row of an entry. */
export const shownInRow = (entry: KnownEntry) => EntrySummary.partial().parse(shown(entry, false))

/** Each entry with its previous state, by a direct implementation of the rules. */
export function compared(
  now: KnownEntry[],
  before: KnownEntry[],
): { entry: KnownEntry; size: number; delta: number | null; was: 'created' | 'removed' | '' }[] {
  const then = new Map(before.map((entry) => [keyOf(entry), entry]))
  const here = new Set(now.map(keyOf))
  const kept = now.map((entry) => {
    const old = then.get(keyOf(entry))
    const isKnown = entry.row.size >= 0 && (old === undefined || old.row.size >= 0)
    const delta = isKnown ? entry.row.size - (old?.row.size ?? 0) : null
    return { entry, size: entry.row.size, delta, was: old ? '' : 'created' } as const
  })
  const gone = before
    .filter((entry) => !here.has(keyOf(entry)))
    .map((entry) => ({
      entry,
      size: -1,
      delta: entry.row.size < 0 ? null : 0 - entry.row.size,
      was: 'removed' as const,
    }))
  return [...kept, ...gone]
}

const keyOf = ({ volumeId, key }: KnownEntry) => `${volumeId} ${key}`
