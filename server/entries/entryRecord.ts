import type { Entry } from '#events/entries.ts'
import { text } from '#server/platform/sql.ts'
import type { Snapshot } from '#server/snapshots/index.ts'

/** What a list selects of an entry, as `asEntry` reads it. No name is that of a column: conditions mean the columns. */
export const entryColumns = text(`
  leftPad(lower(hex(file_id)), 16, '0') AS fileId, name AS entryName, concat(parent_path, name) AS path,
  volume AS volumeId, is_directory AS isDirectory, size AS bytes, allocated_size AS allocatedSize,
  extension AS entryExtension, owner AS entryOwner, \`group\` AS entryGroup,
  toUnixTimestamp(created) AS createdAt, toUnixTimestamp(last_access) AS lastAccess,
  toUnixTimestamp(last_modified) AS lastModified, toUnixTimestamp(accessed) AS accessedAt,
  toUnixTimestamp(modified) AS modifiedAt, toUnixTimestamp(backup_date) AS backupAt,
  files AS numberOfFiles, folders AS numberOfFolders,
  if(identification_hash = 0, '', leftPad(lower(hex(identification_hash)), 16, '0')) AS identificationHash,
  metadata AS entryMetadata, toString(inode) AS inodeNumber, mode AS entryMode, link_count AS numberOfLinks,
  link_target AS linkTarget, etag AS eTag, storage_class AS storageClass, previous_path AS previousPath,
  unreadable AS isUnreadable`)

export type EntryRecord = {
  fileId: string
  entryName: string
  path: string
  volumeId: number
  isDirectory: boolean
  bytes: number
  allocatedSize: number
  entryExtension: string
  entryOwner: string
  entryGroup: string
  createdAt: number
  lastAccess: number
  lastModified: number
  accessedAt: number
  modifiedAt: number
  backupAt: number
  numberOfFiles: number
  numberOfFolders: number
  identificationHash: string
  entryMetadata: Record<string, string>
  inodeNumber: string
  entryMode: number
  numberOfLinks: number
  linkTarget: string
  eTag: string
  storageClass: string
  previousPath: string
  isUnreadable: boolean
  /** Of lists of what is present and what is deleted. */
  isDeleted?: boolean
}

/** What lies beside the entry itself: its volume, its tags, and what the snapshot says of it. */
type Beside = { snapshot: Snapshot; deleted: boolean; dupe: boolean | null; customTag: string[] }

export function asEntry(record: EntryRecord, { snapshot, deleted, dupe, customTag }: Beside): Entry {
  const { entryName, bytes, entryExtension, entryOwner, entryGroup, createdAt, backupAt, accessedAt, modifiedAt } =
    record
  const { entryMetadata, inodeNumber, entryMode, isUnreadable, isDirectory, ...same } = record
  const volume = snapshot.volumes.find(({ volumeId }) => volumeId === record.volumeId)
  return {
    fileId: same.fileId,
    name: entryName,
    path: same.path || '/',
    volumeId: same.volumeId,
    volumeName: volume?.name ?? '',
    isDirectory,
    size: bytes,
    allocatedSize: same.allocatedSize,
    extension: entryExtension,
    owner: entryOwner,
    group: entryGroup,
    creationDate: createdAt === 0 ? null : isoOf(createdAt),
    lastAccess: isoOf(same.lastAccess),
    lastModified: isoOf(same.lastModified),
    lastAccessFolder: isDirectory ? isoOf(accessedAt) : null,
    lastModifiedFolder: isDirectory ? isoOf(modifiedAt) : null,
    backupDate: backupAt === 0 ? null : isoOf(backupAt),
    indexingDate: volume?.scannedOn ?? snapshot.indexingDate,
    numberOfFiles: isDirectory ? same.numberOfFiles : null,
    numberOfFolders: isDirectory ? same.numberOfFolders : null,
    deleted,
    dupe,
    identificationHash: same.identificationHash,
    customTag,
    metadata: entryMetadata,
    inode: inodeNumber,
    mode: entryMode,
    numberOfLinks: same.numberOfLinks,
    linkTarget: same.linkTarget,
    eTag: same.eTag,
    storageClass: same.storageClass,
    previousPath: same.previousPath,
    unreadable: isUnreadable,
  }
}

/** Seconds UTC as ISO 8601. */
export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
