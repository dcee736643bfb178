import type { StorageStatistics } from '#events/storages.ts'

/**
 * Kinds of values. `bytes` are -1 if unknown. A `moment` is ISO 8601 in UTC, null if unknown; a `day` is like 2026-11-22.
 * `count` and `folderMoment` are for folders only, `id` is a 64-bit number in hexadecimal.
 */
type FieldKind =
  | 'archive'
  | 'billed'
  | 'bytes'
  | 'copy'
  | 'count'
  | 'day'
  | 'flag'
  | 'folderMoment'
  | 'id'
  | 'level'
  | 'longText'
  | 'metadata'
  | 'moment'
  | 'notEntered'
  | 'number'
  | 'storage'
  | 'tags'
  | 'text'
  | 'wideNumber'

type FieldRow = {
  kind: FieldKind
  /** Label of the value; a label of a list may be shorter. */
  label?: string
  /** Word in searches and downloads. Default: the label in sentence case. */
  word?: string
  /** Title of the column in lists. Default: the label. */
  title?: string
  /** Column of the entry tables. Fields without one are computed. */
  column?: string
  /** True if rows of lists have it, not only single entries. */
  listed?: true
  sorts?: true
  /** Width of the column in downloads, in characters. Downloads without one leave the field out. */
  download?: number
  /** Name in search conditions on the wire. */
  condition?: string
  /** Part of the names of the two filters of a search that limit it to a range: `lastAccess` in `lastAccessAfter`. */
  filter?: string
  /** True if entries don't have it: it can only be searched or sorted by. */
  derived?: true
  /** Statistic of the storages that know the field. Default: all storages know it. */
  statistic?: keyof StorageStatistics
}

const shown = { listed: true, sorts: true } as const

/**
 * The fields of a file or folder, one row each. Everything that lists fields is derived from here: the schema of an entry, sort
 * orders, filters, conditions, columns of tables and downloads, and details. See README.md.
 */
export const entryFields = {
  fileId: { kind: 'id', label: 'Id', column: 'file_id', listed: true, condition: 'fileId' },
  name: { kind: 'text', label: 'Name', column: 'name', ...shown, condition: 'name', download: 40 },
  path: { kind: 'longText', label: 'Path', ...shown, condition: 'path' },
  fullPath: { kind: 'longText', label: 'Path', listed: true, download: 80 },
  volumeId: { kind: 'storage', word: 'Storage Types', listed: true, condition: 'volumeId' },
  volumeName: { kind: 'text', label: 'Storage', ...shown, download: 20 },
  isDirectory: { kind: 'flag', label: 'Folder', column: 'is_directory', listed: true, condition: 'isDirectory' },
  size: { kind: 'bytes', label: 'Size', column: 'size', ...shown, condition: 'size', filter: 'Size', download: 18 },
  billedSize: { kind: 'billed', listed: true },
  allocatedSize: {
    kind: 'bytes',
    label: 'Allocated Size',
    word: 'Size on disk',
    column: 'allocated_size',
    sorts: true,
    condition: 'allocatedSize',
    filter: 'AllocatedSize',
  },
  extension: { kind: 'text', label: 'Extension', column: 'extension', ...shown, condition: 'extension', download: 10 },
  /** All files and folders below a folder. */
  numberOfFiles: {
    kind: 'count',
    label: 'Number of Files',
    title: 'Files',
    column: 'files',
    ...shown,
    condition: 'numberOfFiles',
    filter: 'NumberOfFiles',
    download: 18,
  },
  numberOfFolders: {
    kind: 'count',
    label: 'Number of Folders',
    title: 'Folders',
    column: 'folders',
    ...shown,
    condition: 'numberOfFolders',
    filter: 'NumberOfFolders',
    download: 18,
  },
  owner: { kind: 'text', label: 'Owner', column: 'owner', ...shown, condition: 'owner', download: 15 },
  group: { kind: 'text', label: 'Group', column: 'group', ...shown, condition: 'group', download: 15 },
  creationDate: {
    kind: 'moment',
    label: 'Creation Date',
    word: 'Created',
    column: 'created',
    ...shown,
    condition: 'creationDate',
    filter: 'creation',
    statistic: 'CREATION_DATE',
    download: 20,
  },
  lastAccess: {
    kind: 'moment',
    label: 'Last Access',
    column: 'last_access',
    ...shown,
    condition: 'lastAccessDate',
    filter: 'lastAccess',
    statistic: 'ACCESS_DATE',
    download: 20,
  },
  lastModified: {
    kind: 'moment',
    label: 'Last Modified',
    column: 'last_modified',
    ...shown,
    condition: 'lastModifiedDate',
    filter: 'lastModified',
    download: 20,
  },
  /** Times of a folder itself; `lastAccess` and `lastModified` of a folder are those of the files below it. */
  lastAccessFolder: { kind: 'folderMoment', label: 'Last Access (folder only)', column: 'accessed', ...shown },
  lastModifiedFolder: { kind: 'folderMoment', label: 'Last Modified (folder only)', column: 'modified', ...shown },
  backupDate: {
    kind: 'moment',
    label: 'Backup Date',
    word: 'Backup',
    column: 'backup_date',
    sorts: true,
    filter: 'backup',
    statistic: 'BACKUP_DATE',
  },
  /** Day of the scan that the snapshot shows for the volume. */
  indexingDate: { kind: 'day', label: 'Indexing Date', ...shown, condition: 'indexingDate', download: 13 },
  /**
   * True if the snapshot has another copy. Null in lists of a folder on an older date, where it would require reading
   * all entries; searches and single entries have it on any date.
   */
  dupe: { kind: 'copy', label: 'Duplicate', condition: 'isDupe', download: 10 },
  /** The same for all copies. Empty for entries that can't be duplicates. */
  identificationHash: {
    kind: 'id',
    label: 'Identification Hash',
    column: 'identification_hash',
    condition: 'identificationHash',
    download: 22,
  },
  customTag: { kind: 'tags', label: 'Tags', word: 'Tag', ...shown, condition: 'customTags', download: 30 },
  /** Null for folders, outside file storages, and without an archive index in the snapshot. */
  archive: { kind: 'archive', label: 'Archive state', condition: 'archived', download: 24 },
  deleted: { kind: 'flag', label: 'Deleted', listed: true, condition: 'isDeleted', download: 10 },
  metadata: { kind: 'metadata', column: 'metadata' },
  inode: { kind: 'wideNumber', label: 'Inode', column: 'inode', condition: 'inode' },
  mode: { kind: 'number', label: 'Permissions', column: 'mode' },
  numberOfLinks: { kind: 'number', label: 'Hard Links', column: 'link_count' },
  linkTarget: { kind: 'text', label: 'Link to', column: 'link_target' },
  eTag: { kind: 'text', label: 'ETag', column: 'etag' },
  storageClass: { kind: 'text', label: 'Storage Class', column: 'storage_class' },
  /** Path before the last move or rename; empty if the entry was never moved. */
  previousPath: { kind: 'text', label: 'Moved or renamed from', column: 'previous_path' },
  /** True for a folder that could not be read completely. */
  unreadable: { kind: 'flag', column: 'unreadable', listed: true },
  /** The reason why scans do not enter this folder, so that its contents are not included. */
  notEntered: { kind: 'notEntered', label: 'Contents', column: 'not_entered', listed: true },
  /** Anyone may write. Excludes symbolic links, whose mode has no effect, and folders with the sticky bit, such as /tmp. */
  isWorldWritable: { kind: 'flag', label: 'World-writable', condition: 'isWorldWritable', derived: true },
  /** 1 for entries directly in the volume. */
  folderDepth: { kind: 'level', label: 'Depth', column: 'depth', condition: 'folderDepth', derived: true },
  cost: { kind: 'number', label: 'Cost', sorts: true, derived: true },
} as const satisfies Record<string, FieldRow>
type Rows = typeof entryFields

/** The one name of a field inside the product, which is that of the entry on the wire. */
export type EntryField = keyof Rows
const names = Object.keys(entryFields) as EntryField[]

/** Fields whose row has these values. */
export type FieldsWith<Part> = { [F in EntryField]: Rows[F] extends Part ? F : never }[EntryField]
/** Fields of a kind. */
export type FieldsOf<Kind extends FieldKind> = FieldsWith<{ kind: Kind }>

export const rowOf = (field: EntryField): FieldRow => entryFields[field]

/** Fields that have a property, in the order of the table. */
export const fieldsWith = <Property extends keyof FieldRow>(property: Property) =>
  names.filter((field) => rowOf(field)[property] !== undefined) as FieldsWith<Record<Property, unknown>>[]

/** Fields that an entry has. */
export type OwnField = Exclude<EntryField, FieldsWith<{ derived: true }>>
export const ownFields = names.filter((field): field is OwnField => !rowOf(field).derived)

/** Word of a field in a sentence or a search: `Last access`. */
export function wordOf(field: EntryField): string {
  const { word, label = '' } = rowOf(field)
  return word ?? label.slice(0, 1) + label.slice(1).toLowerCase()
}
