/**
 * The row in which an entry crosses from an agent to the staging table of its scan: one line of TSV, in this column
 * order. The staging table is made from the same list, so a batch is inserted as it came, without being parsed.
 *
 * Paths are relative to the volume and use `/`. A folder's children have `parent_path` = its own
 * `parent_path + name + '/'`; the volume's root is the row with both empty, so that its children have `/`.
 * Times are seconds UTC, sizes bytes; a size of -1 is unknown.
 */
export const entryColumns = [
  ['attempt', 'UInt32'], // which try of the scan wrote the row
  ['batch', 'UInt32'], // which batch of that try
  ['kind', 'UInt8'], // one of `rowKinds`
  ['parent_path', 'LowCardinality(String)'],
  ['name', 'String'],
  ['is_directory', 'Bool'],
  ['size', 'Int64'],
  ['allocated_size', 'Int64'],
  ['link_count', 'UInt32'],
  ['device', 'UInt64'],
  ['inode', 'UInt64'],
  ['owner', 'LowCardinality(String)'],
  ['group', 'LowCardinality(String)'],
  ['mode', 'UInt32'], // as `st_mode` has it, with the kind of file
  ['link_target', 'String'],
  ['created', 'Int64'], // 0 is unknown
  ['modified', 'Int64'],
  ['accessed', 'Int64'],
  ['etag', 'String'],
  ['storage_class', 'LowCardinality(String)'],
  ['backup_date', 'Int64'], // 0 is none
  ['metadata', 'Map(String, String)'],
  ['children', 'UInt64'], // of a `listed` row: how many of the folder's entries are recorded; of a checkpoint: its parts
] as const

/** What a block of rows has: the attempt and the batch are the same for all of it and stand in the message's headers. */
export const blockColumns = entryColumns.slice(2) as BlockColumns
type BlockColumns = typeof entryColumns extends readonly [unknown, unknown, ...infer Rest] ? Rest : never
export type BlockColumn = BlockColumns[number][0]

/** Columns that each block has; of others it leaves out those in which all rows have the default. */
const required: readonly string[] = ['kind', 'parent_path', 'name', 'is_directory'] satisfies BlockColumn[]
export const isRequired = (column: BlockColumn): boolean => required.includes(column)

/**
 * An entry that was seen; the mark that a folder was listed to its end; the mark that it could not be; what is left of the
 * listing of an object store.
 */
export const rowKinds = { entry: 0, listed: 1, unreadable: 2, checkpoint: 3 } as const

/** What the codec writes of an entry; everything else takes the column's default. */
export type EntryRow = {
  parentPath: string
  name: string
  isDirectory: boolean
  size: number | bigint
  allocatedSize: number | bigint
  linkCount: number
  device: number | bigint
  inode: number | bigint
  owner: string
  group: string
  mode: number
  linkTarget: string
  created: number
  modified: number
  accessed: number
  etag?: string
  storageClass?: string
  backupDate?: number
  metadata?: Record<string, string>
}

/** Which try of a scan, and which batch of that try, a row belongs to; both count from 1. */
export type BatchId = { attempt: number; batch: number }

/** One line of an entry, with its line end. */
export function encodeEntry(id: BatchId, row: EntryRow): string {
  const { parentPath, name, linkTarget, metadata } = row
  return (
    `${id.attempt}\t${id.batch}\t0\t${escape(parentPath)}\t${escape(name)}\t${row.isDirectory ? 1 : 0}\t` +
    `${row.size}\t${row.allocatedSize}\t${row.linkCount}\t${row.device}\t${row.inode}\t` +
    `${escape(row.owner)}\t${escape(row.group)}\t${row.mode}\t${linkTarget && escape(linkTarget)}\t` +
    `${row.created}\t${row.modified}\t${row.accessed}\t${escape(row.etag ?? '')}\t${escape(row.storageClass ?? '')}\t` +
    `${row.backupDate ?? 0}\t${metadata ? encodeMap(metadata) : '{}'}\t0\n`
  )
}

/** Files of a folder that count in its totals without a row of their own (index-folder-only paths). */
export type Unrecorded = { files: number; size: number; allocatedSize: number }
const nothingUnrecorded: Unrecorded = { files: 0, size: 0, allocatedSize: 0 }
type Folder = { parentPath: string; name: string }

/**
 * The line that says that a folder was listed to its end. It carries the unrecorded files of the folder in `size`,
 * `allocated_size` and, their number, in `link_count`.
 */
export function encodeListed(id: BatchId, folder: Folder, children: number, unrecorded = nothingUnrecorded): string {
  return encodeMark(id, folder, rowKinds.listed, children, unrecorded)
}

/** The line that says that a folder could not be listed, or not to its end. */
export const encodeUnreadable = (id: BatchId, folder: Folder): string =>
  encodeMark(id, folder, rowKinds.unreadable, 0, nothingUnrecorded)

function encodeMark(id: BatchId, folder: Folder, kind: number, children: number, unrecorded: Unrecorded): string {
  return (
    `${id.attempt}\t${id.batch}\t${kind}\t${escape(folder.parentPath)}\t${escape(folder.name)}\t1\t` +
    `${unrecorded.size}\t${unrecorded.allocatedSize}\t${unrecorded.files}\t0\t0\t\t\t0\t\t0\t0\t0\t\t\t0\t{}\t${children}\n`
  )
}

/**
 * The line that says which parts of an object store are left to be listed, when all that is not in them is in this batch
 * and those of the attempt before it. It is no entry: the parts are JSON in `link_target`, their number is in `children`.
 */
export const encodeCheckpoint = (id: BatchId, parts: readonly string[]): string =>
  `${id.attempt}\t${id.batch}\t${rowKinds.checkpoint}\t/\t\t0\t0\t0\t0\t0\t0\t\t\t0\t${escape(JSON.stringify(parts))}\t` +
  `0\t0\t0\t\t\t0\t{}\t${parts.length}\n`

/** The `parent_path` of what lies in a folder. */
export const pathOfChildren = (folder: { parentPath: string; name: string }): string =>
  `${folder.parentPath}${folder.name}/`

const special = /[\\\t\n\r\0\b\f]/
const specials = /[\\\t\n\r\0\b\f]/g
const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
}
/** Text as a TSV field of ClickHouse. */
export const escape = (text: string): string =>
  special.test(text) ? text.replace(specials, (character) => escapes[character] as string) : text

function encodeMap(map: Record<string, string>): string {
  const quote = (text: string) => `'${escape(text).replaceAll("'", "\\'")}'`
  return `{${Object.entries(map)
    .map(([key, value]) => `${quote(key)}:${quote(value)}`)
    .join(',')}}`
}
