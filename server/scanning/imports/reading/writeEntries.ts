import { isFileName } from '#events/contract/fileNames.ts'
import { newBlockWriter } from '#events/node/blocks/blockWriter.ts'
import { entryLimits } from '#events/scans/entryLimits.ts'
import { notEnteredText } from '#events/scans/notEntered.ts'
import { type ImportedEntry, RefusedExport } from '#server/scanning/imports/formats/format.ts'
import type { ReadExport } from './messages.ts'

/** Fields as users know them. An export without one of them lacks it; some tools can't have all. */
const fieldNames = {
  size: 'sizes',
  allocatedSize: 'sizes on disk',
  created: 'creation times',
  modified: 'modification times',
  accessed: 'access times',
  owner: 'owners',
  group: 'groups',
  mode: 'permissions',
  inode: 'hard links',
} as const satisfies Partial<Record<keyof ImportedEntry, string>>
const fields = Object.keys(fieldNames) as (keyof typeof fieldNames)[]

/** Paths of scans are not longer either. */
const maxPathBytes = entryLimits.path / 2

/** Writes entries into blocks of the staging table, and counts what the export has. */
export function newEntryWriter(store: (block: Uint8Array) => Promise<void>) {
  const writer = newBlockWriter()
  const known = new Set<string>()
  let [excluded, unreadableFolders] = [0, 0]
  const flush = async () => {
    if (writer.rows() === 0) return
    const block = new Uint8Array(writer.encode())
    writer.clear()
    await store(block)
  }
  return {
    async add(entry: ImportedEntry): Promise<void> {
      const place = placeOf(entry.path)
      for (const field of fields) if (entry[field] !== undefined && !entry.isExcluded) known.add(field)
      if (entry.isExcluded) excluded++
      if (entry.isUnreadable) unreadableFolders++
      const isDirectory = entry.isDirectory || entry.path === '' || entry.isUnreadable === true
      if (isDirectory || !entry.isExcluded) writer.add({ ...rowOf(entry), ...place, isDirectory })
      if (entry.isUnreadable) writer.addUnreadable(place)
      else if (entry.isExcluded && isDirectory) writer.addNotEntered(place, notEnteredText('fileSystem'))
      if (writer.fullness(maxRows) >= 1) await flush()
    },
    async end(has: readonly (keyof ImportedEntry)[]): Promise<Omit<ReadExport, 'prefix' | 'unreadable'>> {
      await flush()
      const missing = fields.filter((field) => !known.has(field) || !has.includes(field))
      return {
        missing: missing.map((field) => fieldNames[field]),
        excluded,
        unreadableFolders,
        hasAllocated: known.has('allocatedSize'),
      }
    },
  }
}

/** An entry and its mark are in the same block. */
const maxRows = 60_000

/** Throws `RefusedExport` for paths that lead elsewhere. */
function placeOf(path: string): { parentPath: string; name: string } {
  if (path === '') return { parentPath: '', name: '' }
  const end = path.lastIndexOf('/') + 1
  const isPlain = path.split('/').every(isFileName)
  if (!isPlain || Buffer.byteLength(path) > maxPathBytes)
    throw new RefusedExport(`The path ${JSON.stringify(path.slice(0, 200))} can't be one of a storage.`)
  return { parentPath: `/${path.slice(0, end)}`, name: path.slice(end) }
}

/** Without one of the two sizes the other one stands for both. Nothing is known of a file without any. */
const rowOf = (entry: ImportedEntry) => ({
  size: entry.size ?? entry.allocatedSize ?? -1,
  allocatedSize: entry.allocatedSize ?? entry.size ?? -1,
  linkCount: entry.inode === undefined ? 1 : (entry.linkCount ?? 1),
  device: entry.device ?? 0,
  inode: entry.inode ?? 0,
  ...aboutOf(entry),
})

const aboutOf = ({
  owner,
  group,
  mode,
  linkTarget,
  created,
  modified,
  accessed,
  etag,
  storageClass,
}: ImportedEntry) => ({
  owner: owner ?? '',
  group: group ?? '',
  mode: mode ?? 0,
  linkTarget: linkTarget ?? '',
  created: Math.floor(created ?? 0),
  modified: Math.floor(modified ?? 0),
  accessed: Math.floor(accessed ?? 0),
  etag: etag ?? '',
  storageClass: storageClass ?? '',
})
