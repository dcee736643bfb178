/** A file or folder of an export. Fields that the format doesn't have are undefined: they are unknown, not zero. */
export type ImportedEntry = {
  /** Relative to the root, or to the top if `Parsed.prefix` isn't empty, with `/`. The root has ''. No `.`, `..` or empty names. */
  path: string
  /** False also for folders that the format doesn't tell from files: an entry that has others below it is a folder. */
  isDirectory: boolean
  /** Bytes. Of a folder: its own, never the total of its contents. */
  size?: number | bigint | undefined
  /** Bytes on disk. Of a folder: its own. */
  allocatedSize?: number | bigint | undefined
  /** Times in seconds UTC. */
  created?: number | undefined
  modified?: number | undefined
  accessed?: number | undefined
  owner?: string | undefined
  group?: string | undefined
  /** As `st_mode` has it, with the kind of file. */
  mode?: number | undefined
  device?: number | bigint | undefined
  inode?: number | bigint | undefined
  linkCount?: number | undefined
  linkTarget?: string | undefined
  etag?: string | undefined
  storageClass?: string | undefined
  /** The tool could not read this folder, or not to its end. */
  isUnreadable?: true | undefined
  /** The tool left this out. It has no size, and nothing below it. */
  isExcluded?: true | undefined
}

/** A line, or a place of a file without lines, that could not be read. */
export type UnreadableLine = { line: number; reason: string }

export type ParserOptions = {
  /** The folder of the export that is the root of the storage, as the export writes it. Default: the folder that contains all entries. */
  root?: string
  /** Of `find`: its `-printf` format. */
  printf?: string
  /** Of `du`: bytes of each unit of its numbers. Default: 1024. With 1 they are apparent sizes, otherwise sizes on disk. */
  unit?: number
  /** Of `csv` and `s3-inventory`: the position of the column of each field, starting at 0. */
  columns?: Partial<Record<CsvField, number>>
}

/** Fields of a column of a CSV. `parent` and `name` are an alternative to `path`. */
export type CsvField = Exclude<keyof ImportedEntry, 'isDirectory' | 'isUnreadable' | 'isExcluded'> | CsvOnly
type CsvOnly = 'parent' | 'name' | 'kind' | 'attributes' | 'isLatest' | 'isDeleteMarker' | 'deleted'

/** The findings of a parser besides entries, complete when its entries have ended. */
export type Parsed = {
  /** Entries in any order, in lists of some thousands. Throws `RefusedExport` if the file isn't such an export, or is hostile. */
  entries: AsyncIterable<ImportedEntry[]>
  /** The first thousand of them, and their number. */
  unreadable: { lines: UnreadableLine[]; count: number }
  /**
   * The folder that contains all entries, to be removed from the start of each path. Most formats name it only in their last line.
   * Empty with `ParserOptions.root`, and for formats whose paths are relative to a known root.
   */
  readonly prefix: string
}

/** Reads an export that is already unpacked, as bytes. Memory doesn't depend on the length of the input. */
type Parser = (bytes: AsyncIterable<Uint8Array>, options: ParserOptions) => Parsed

/** The parser of a format, and the fields that it can have. */
export type FormatReader = { has: readonly (keyof ImportedEntry)[]; parse: Parser }

/** The export can't be imported. The message names the line, and is shown to users. */
export class RefusedExport extends Error {}
