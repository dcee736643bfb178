import type { ImportFormat } from '#events/imports/formats.ts'

/** A file or folder of an export. What the format doesn't have is undefined: it is unknown, not zero. */
export type ImportedEntry = {
  /** From the root of the export on, with `/`; the root itself is the empty text. No `.`, `..` or empty names. */
  path: string
  isDirectory: boolean
  /** Bytes. */
  size?: number | bigint
  /** Bytes on disk. */
  allocatedSize?: number | bigint
  /** Times in seconds UTC. */
  created?: number
  modified?: number
  accessed?: number
  owner?: string
  group?: string
  /** As `st_mode` has it, with the kind of file. */
  mode?: number
  device?: number | bigint
  inode?: number | bigint
  linkCount?: number
  linkTarget?: string
  etag?: string
  storageClass?: string
  /** The tool could not read this folder, or not to its end. */
  isUnreadable?: true
}

/** A line, or a place of a file without lines, that could not be read. */
export type UnreadableLine = { line: number; reason: string }

export type ParserOptions = {
  /** The folder of the export that is the root of the storage, as the export writes it; undefined for the export's own root. */
  root?: string
  /** Of `find`: its `-printf` format. */
  printf?: string
  /** Of `csv`: the place of the column, from 0 on, of each field. */
  columns?: Partial<Record<keyof ImportedEntry, number>>
  /** Of `borg`, `restic`, `robinhood` … nothing more is needed. */
}

/** What a parser found besides entries, complete when its entries have ended. */
export type Parsed = {
  /** Entries in any order, in lists of some thousands. Throws an error with the line if the file is no such export or is hostile. */
  entries: AsyncIterable<ImportedEntry[]>
  /** The first thousand of them, and their number. */
  unreadable: { lines: UnreadableLine[]; count: number }
}

/** Reads an export that is already unpacked, as bytes. Memory doesn't depend on the length of the input. */
export type Parser = (bytes: AsyncIterable<Uint8Array>, options: ParserOptions) => Parsed

/** The parser of each format, and the fields that it can have. */
export type FormatReader = { format: ImportFormat; has: readonly (keyof ImportedEntry)[]; parse: Parser }
