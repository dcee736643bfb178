/**
 * The row in which an entry crosses from an agent to the staging table of its scan. Rows come as blocks of columns in
 * ClickHouse's Native format (`blocks/`), in this order of columns and with these types. The staging table is made from the same
 * list, so that a block is inserted as it came once it is checked.
 *
 * Paths are relative to the volume and use `/`. A folder's children have `parent_path` = its own
 * `parent_path + name + '/'`; the volume's root is the row with both empty, so that its children have `/`.
 * Times are seconds UTC, sizes bytes; a size of -1 is unknown.
 */
export const blockColumns = [
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
  ['backup_date', 'Int64'], // 0: no date
  ['metadata', 'Map(String, String)'],
  ['partial', 'Bool'], // mode, links, sizes on disk and owner are not known: those of the compared scan stay
  // Columns of marks, see `rowKinds`.
  ['children', 'UInt64'],
  ['files', 'UInt64'],
  ['compared_scan', 'UInt32'],
  ['parts', 'String'],
  ['moved_to', 'String'],
  ['not_entered', 'LowCardinality(String)'],
] as const
export type BlockColumn = (typeof blockColumns)[number][0]

/** Columns that each block has; of others it leaves out those in which all rows have the default of the type. */
const required: readonly string[] = ['kind', 'parent_path', 'name', 'is_directory'] satisfies BlockColumn[]
export const isRequired = (column: BlockColumn): boolean => required.includes(column)

/** Attempt of a scan, and batch of that attempt, that a row belongs to; both count from 1. */
export type BatchId = { attempt: number; batch: number }

/** Values that are the same for all rows of a batch are in the headers of its message; the server adds them. */
export const batchColumns = [
  ['attempt', 'UInt32'],
  ['batch', 'UInt32'],
] as const satisfies [keyof BatchId, 'UInt32'][]

/** The columns of the staging table. */
export const entryColumns = [...batchColumns, ...blockColumns] as const

/**
 * Rows are entries, or marks of a folder or of the scan. Marks have these columns besides `parent_path` and `name`:
 *
 * - `listed`: a folder was listed to its end. `children`: its recorded entries; `files`, `size`, `allocated_size`: the files of it
 *   that have no row of their own.
 *   Of a folder that the scan does not enter, `not_entered` has the reason (`notEntered.ts`), and the folder has no entries.
 * - `unreadable`: a folder could not be listed, or not to its end.
 * - `checkpoint`: the parts of a listing in pages that are left, as a JSON array in `parts`; their number in `children`.
 * - `unchanged`: stands for the rows of all files of a folder, which are as in `compared_scan`. `files`: their number, with their
 *   sizes, and their newest access and change in `accessed` and `modified`. The folder is `listed` besides.
 * - `verifiable`: the files are sent; an `unchanged` mark could have stood for them.
 * - `delta`: the scan tells what differs from `compared_scan`; all else is as there. Its path is that of the storage itself.
 * - `gone`: of a delta. Nothing is at this path of `compared_scan` any more; with `moved_to` it is there now, with all below it.
 */
export const rowKinds = {
  entry: 0,
  listed: 1,
  unreadable: 2,
  checkpoint: 3,
  unchanged: 4,
  verifiable: 5,
  delta: 6,
  gone: 7,
} as const

/** An entry; what it does not tell has the column's default. */
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
  /** In a delta: mode, links, allocated size, owner, group and metadata are not known, and stay unchanged. */
  partial?: true
}

/** Files of a folder that count in its totals without a row of their own (index-folder-only paths). */
export type Unrecorded = { files: number; size: number; allocatedSize: number }

/**
 * Totals of all files of a folder: bytes, and their newest plausible times in seconds, 0 if none is known. For a symbolic link the time of its change counts as its access, because a
 * scan accesses it by reading its target.
 */
export type FileTotals = { files: number; size: number; allocatedSize: number; accessed: number; modified: number }

/** The `parent_path` of the entries in a folder. */
export const pathOfChildren = (folder: { parentPath: string; name: string }): string =>
  `${folder.parentPath}${folder.name}/`
