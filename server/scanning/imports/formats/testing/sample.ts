import type { ImportFormat } from '#events/imports/formats.ts'
import type { ImportedEntry, ParserOptions } from '../format.ts'

/** A small document of a format, after its documentation and the output of the tool, and its entries. */
export type Sample = {
  name: string
  format: ImportFormat
  document: string
  options?: ParserOptions
  prefix?: string
  expected: ImportedEntry[]
}

/** Seconds UTC of a time without a zone. */
export const local = (text: string): number => new Date(text).getTime() / 1000
export const folder = (path: string, fields: Partial<ImportedEntry> = {}): ImportedEntry => ({
  path,
  isDirectory: true,
  ...fields,
})
export const file = (path: string, fields: Partial<ImportedEntry> = {}): ImportedEntry => ({
  ...folder(path, fields),
  isDirectory: false,
})
