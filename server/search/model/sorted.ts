import type { EntrySort } from '#events/entries.ts'
import type { Known } from './known.ts'

const keys: Record<EntrySort, (entry: Known) => string | number> = {
  name: ({ row }) => row.name.toLowerCase(),
  path: ({ path }) => path.toLowerCase(),
  volumeName: ({ volumeName }) => volumeName.toLowerCase(),
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
  backupDate: () => 0,
}

/** The entries' file ids in the order of a list: texts by their bytes and then by path, everything by file id at last. */
export function sorted(
  entries: Known[],
  sort: EntrySort,
  direction: 'asc' | 'desc',
  fileIds: Map<string, string>,
): string[] {
  const sign = direction === 'asc' ? 1 : -1
  const idOf = ({ volumeId, key }: Known) => fileIds.get(`${volumeId} ${key}`) ?? ''
  const isText = typeof keys[sort](entries[0] ?? placeholder) === 'string'
  return entries
    .toSorted(
      (a, b) =>
        sign * inOrder(keys[sort](a), keys[sort](b)) ||
        (isText ? inOrder(a.path, b.path) : 0) ||
        inOrder(idOf(a), idOf(b)),
    )
    .map(idOf)
}

const placeholder = {
  row: { name: '', extension: '', owner: '', group: '' },
  path: '',
  volumeName: '',
  scannedOn: '',
} as Known

function inOrder(a: string | number, b: string | number): number {
  if (typeof a === 'number') return a - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
}
