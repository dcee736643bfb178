import type { EntryRow } from '#events/scans/entryRow.ts'
import { daySeconds, type MadeFile } from './files.ts'

/** A folder of a made-up storage: '' is the storage itself. `children` counts its files and subfolders. */
export type MadeFolder = { path: string; entry: EntryRow; files: EntryRow[]; children: number }

/** The folders of files at a moment in seconds, each after the one that it is in. */
export function foldersOf(files: readonly MadeFile[], now: number): MadeFolder[] {
  const folders = new Map<string, MadeFolder>()
  const folder = (path: string): MadeFolder => {
    const known = folders.get(path)
    if (known) return known
    if (path !== '') folder(parentOf(path)).children++
    const made = { path, entry: folderEntry(path), files: [], children: 0 }
    folders.set(path, made)
    return made
  }
  folder('')
  for (const file of files) {
    const inside = folder(parentOf(file.path))
    inside.files.push(fileEntry(file, now))
    inside.children++
    inside.entry.modified = Math.max(inside.entry.modified, file.from)
  }
  return [...folders.values()]
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** Bytes that a file system gives out at a time. */
const blockBytes = 4_096

function fileEntry(file: MadeFile, now: number): EntryRow {
  const { path, size, modified, from, read = modified, readAgain = [], owner, group, storageClass, attributes } = file
  return {
    ...placeOf(path),
    isDirectory: false,
    size,
    allocatedSize: Math.ceil(size / blockBytes) * blockBytes,
    owner,
    group,
    mode: 0o100_664,
    created: from,
    modified,
    // By weeks: an access alone makes a new version of a file.
    accessed: Math.max(
      modified,
      Math.min(read, now - (now % (7 * daySeconds))),
      readAgain.findLast((at) => at <= now) ?? 0,
    ),
    ...(storageClass !== undefined && { storageClass }),
    ...attributes,
  }
}

const folderEntry = (path: string): EntryRow => ({
  ...(path === '' ? { ...placeOf('/'), parentPath: '', name: '' } : placeOf(path)),
  isDirectory: true,
  size: 0,
  allocatedSize: 0,
  owner: 'root',
  group: 'staff',
  mode: 0o040_775,
  created: 0,
  modified: 0,
  accessed: 0,
})

const placeOf = (path: string) => ({
  parentPath: path.slice(0, path.lastIndexOf('/') + 1),
  name: path.slice(path.lastIndexOf('/') + 1),
  linkCount: 1,
  device: 1,
  inode: numberOf(path),
  linkTarget: '',
})

/** A number of 52 bits that a path always has (FNV-1a over two halves): the inode of its file. */
function numberOf(path: string): number {
  let [low, high] = [0x81_1c_9d_c5, 0x01_00_01_93]
  for (let i = 0; i < path.length; i++) {
    low = Math.imul(low ^ path.charCodeAt(i), 0x01_00_01_93)
    high = Math.imul(high ^ low ^ i, 0x85_eb_ca_6b)
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0)
}
