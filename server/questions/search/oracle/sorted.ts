import type { EntrySort } from '#events/entries.ts'
import { compareNames } from '#events/contract/names.ts'
import { hiddenTagPrefix } from '#events/tags.ts'
import type { KnownEntry } from './known.ts'

const keys: Record<EntrySort, (entry: KnownEntry) => string | number> = {
  name: ({ row }) => natural(row.name),
  path: ({ path }) => natural(path),
  volumeName: ({ volumeName }) => natural(volumeName),
  indexingDate: ({ scannedOn }) => scannedOn,
  extension: ({ row }) => row.extension,
  owner: ({ row }) => row.owner.toLowerCase(),
  group: ({ row }) => row.group.toLowerCase(),
  size: ({ row }) => row.size,
  allocatedSize: ({ row }) => row.allocatedSize,
  numberOfFiles: ({ row }) => row.files,
  numberOfFolders: ({ row }) => row.folders,
  creationDate: ({ row }) => row.created,
  lastAccess: ({ row }) => row.lastAccess,
  lastModified: ({ row }) => row.lastModified,
  lastAccessFolder: ({ row }) => row.accessed,
  lastModifiedFolder: ({ row }) => row.modified,
  backupDate: ({ row }) => row.backedUp,
  customTag: ({ tags }) => natural(shownTags(tags)[0] ?? ''),
  // Nothing has a price here.
  cost: () => 0,
}

/** The tags that users see, in the order in which they see them. */
export const shownTags = (tags: string[]): string[] =>
  tags.filter((tag) => !tag.startsWith(hiddenTagPrefix)).sort(compareNames)

/** Numbers in a text sort by their value: all get the same length. */
export const natural = (text: string): string =>
  text.toLowerCase().replaceAll(/\d+/g, (digits) => BigInt(digits).toString().padStart(300, '0'))

/** The entries in the order of a list: texts by their bytes, and by place as the last key. */
export function sorted(entries: KnownEntry[], sort: EntrySort, direction: 'asc' | 'desc'): KnownEntry[] {
  const sign = direction === 'asc' ? 1 : -1
  return entries.toSorted(
    (a, b) =>
      sign * inOrder(keys[sort](a), keys[sort](b)) ||
      inOrder(a.row.parentPath, b.row.parentPath) ||
      inOrder(a.row.name, b.row.name) ||
      a.volumeId - b.volumeId ||
      Number(a.row.isDirectory) - Number(b.row.isDirectory),
  )
}

function inOrder(a: string | number, b: string | number): number {
  if (typeof a === 'number') return a - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
}
