import { type ImportFormat, importFormats } from '#events/imports/formats.ts'
import { guessExport, guessLength } from '#events/imports/guess.ts'
import { type CsvColumns, shownColumns } from './csvFields.ts'

/** A file that the user chose, and how it will be read. */
export type ExportFile = {
  key: number
  file: File
  /** The first text of the file, unpacked; empty if it is packed by something that browsers can't unpack. */
  start: string
  format: ImportFormat | null
  date: string | null
  root: string
  printf: string
  unit: string
  columns: CsvColumns
}

export const formatOptions = Object.entries(importFormats).map(([value, label]) => ({ value, label }))

let lastKey = 0

/** Guesses the format and the day of a file from its name and its start. */
export async function openExport(file: File): Promise<ExportFile> {
  const start = await startOf(file)
  const { format = null, date = null } = guessExport(file.name, start)
  return { key: ++lastKey, file, start, format, date, root: '', printf: '', unit: '1024', columns: {} }
}

async function startOf(file: File): Promise<string> {
  const packed = file.slice(0, 4 * guessLength)
  const bytes = new Uint8Array(await packed.arrayBuffer())
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const start = isGzip ? await unpack(packed) : bytes.subarray(0, guessLength)
  if (start[0] === 0x28 && start[1] === 0xb5) return ''
  const isWide = (start[0] === 0xff && start[1] === 0xfe) || start[1] === 0
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(start)
}

/** The start of a packed file. Its end is missing, which is an error after the part that is there. */
async function unpack(packed: Blob): Promise<Uint8Array> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const parts: Uint8Array[] = []
  for (let length = 0; length < guessLength;) {
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (!value) break
    parts.push(value)
    length += value.length
  }
  await reader.cancel().catch(() => undefined)
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()).subarray(0, guessLength)
}

/** Parameters of the import of a file. */
export function importQuery({ file, start, format, date, root, printf, unit, columns }: ExportFile, storageId: number) {
  const chosen = Object.entries(shownColumns(start, columns)).map(([field, at]) => `${field}=${at}`)
  return {
    storageId,
    date: date ?? '',
    format: format ?? 'csv',
    fileName: file.name.slice(0, 255),
    ...(root !== '' && { root }),
    ...(format === 'find' && printf !== '' && { printf }),
    ...(format === 'du' && unit !== '1024' && { unit: Number(unit) }),
    ...(format === 'csv' && chosen.length > 0 && { columns: chosen.join(',') }),
  }
}
