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

/** An object whose size or date the store may state in a form that can't be read: then it is undefined. */
export type ListedObject = Omit<StoredObject, 'size' | 'modified'> & {
  size: number | undefined
  modified: number | undefined
}

/** A size in bytes as a store writes it; undefined for anything but a whole number that is exact in a double. */
export function sizeIn(text: unknown): number | undefined {
  const size = typeof text === 'string' && /^\s*\d+\s*$/.test(text) ? Number(text) : text
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : undefined
}

/** Seconds UTC of a date as a store writes it; undefined if it can't be read or is before 1970, as the year 1 of empty dates. */
export function secondsIn(date: string | number | Date | null | undefined): number | undefined {
  const seconds = Math.floor((date === undefined || date === null ? Number.NaN : new Date(date).getTime()) / 1_000)
  return seconds >= 0 ? seconds : undefined
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
 * without a name in '/a/', next to a folder 'a'. An unknown size is -1, an unknown date 0.
 */
export function objectEntry({ key, size = -1, modified = 0, ...facts }: ListedObject): EntryRow {
  const nameAt = key.lastIndexOf('/') + 1
  return {
    ...nothing,
    parentPath: `/${key.slice(0, nameAt)}`,
    name: key.slice(nameAt),
    isDirectory: false,
    size,
    allocatedSize: size,
    modified,
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
