import type { EntryRow } from '#events/scans/entryRow.ts'

/** Values that an object store lists for an object; others are left out. Times are seconds UTC, sizes bytes. */
export type StoredObject = {
  key: string
  size: number
  modified: number
  created?: number
  accessed?: number
  /** As it identifies the content: the MD5 of an eTag, or another hash with its kind before it. */
  etag?: string
  storageClass?: string
  owner?: string
}

const nothing = {
  linkCount: 1,
  device: 0,
  inode: 0,
  owner: '',
  group: '',
  mode: 0,
  linkTarget: '',
  created: 0,
  modified: 0,
  accessed: 0,
}

/**
 * The entry of an object. Its path is the volume's '/' and the key, for any key: 'a/b' is in '/a/', '/b' in '//', and 'a/' is the object
 * without a name in '/a/', next to a folder 'a'.
 */
export function objectEntry({ key, size, ...facts }: StoredObject): EntryRow {
  const nameAt = key.lastIndexOf('/') + 1
  return {
    ...nothing,
    parentPath: `/${key.slice(0, nameAt)}`,
    name: key.slice(nameAt),
    isDirectory: false,
    size,
    allocatedSize: size,
    ...facts,
  }
}

/** The entry of a volume that has no folders of its own. */
export const rootEntry = (): EntryRow => ({
  ...nothing,
  parentPath: '',
  name: '',
  isDirectory: true,
  size: 0,
  allocatedSize: 0,
})
