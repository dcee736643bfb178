import type { ImportFormat } from '#events/imports/formats.ts'
import type { ParserOptions, UnreadableLine } from '#server/scanning/imports/formats/format.ts'

/** Start of the thread that reads an export. */
export type ReadingStart = { format: ImportFormat; options: ParserOptions }

/** To the thread: bytes of the export, then their end; and that the store has a block. */
export type ToReader = { bytes: Uint8Array } | 'end' | 'stored'

/** The contents of an export besides its entries. `apparentSize`: bytes by which sizes on disk differ, if it has both. */
export type ReadExport = {
  prefix: string
  missing: string[]
  unreadable: { lines: UnreadableLine[]; count: number }
  excluded: number
  unreadableFolders: number
  hasAllocated: boolean
}

/** From the thread: it takes more bytes; a block of entries; the end; or why the file is refused, for users. */
export type FromReader = 'more' | { block: Uint8Array } | { done: ReadExport } | { refused: string }
