import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { sizeWords } from '#client/ui/text/size.ts'
import { countText } from '#events/contract/counted.ts'
import { bytesOfName, hasStray } from '#events/contract/fileNames.ts'
import { UsageError } from './failures.ts'

/** A field of rows, in fields of them as `snapshot.fullPath`: the header of a CSV file and the title of a table. */
export type Column<Row> = (keyof Row & string) | `${keyof Row & string}.${string}`

/** Forms of rows: JSON Lines, CSV, a table, and paths that end with NUL. */
export type Form = 'json' | 'csv' | 'table' | 'null'

/** Writes rows as they arrive, for people if they are shown on a terminal; a table is written at the end of its rows. Returns their number. */
export async function writeRows<Row extends object>(
  out: Writable,
  rows: AsyncIterable<Row> | Iterable<Row>,
  form: Form,
  columns: readonly string[],
  isShown: boolean,
): Promise<number> {
  let count = 0
  const table: Row[] = []
  const line = (cells: readonly unknown[]) => (isShown ? shownText(csvLine(cells)) : csvLine(cells))
  if (form === 'csv') await write(out, line(columns))
  for await (const row of rows) {
    count++
    if (form === 'table') table.push(row)
    else if (form === 'json') await write(out, `${jsonText(row)}\n`)
    else if (form === 'csv') await write(out, line(columns.map((column) => valueAt(row, column))))
    else await write(out, Buffer.concat([bytesOfName(pathOf(row)), Buffer.of(0)]))
  }
  if (table.length > 0) await write(out, tableText(table, columns))
  return count
}

const valueAt = (row: object, column: string): unknown =>
  column
    .split('.')
    .reduce<unknown>((value, field) => (value as Record<string, unknown> | null | undefined)?.[field], row)

function pathOf(row: object): string {
  const path = valueAt(row, 'fullPath') ?? valueAt(row, 'path')
  if (typeof path === 'string') return path
  throw new UsageError('These rows have no paths, so -0 has nothing to write.')
}

/** Writes and waits while the reader is slower. */
export async function write(out: Writable, data: string | Buffer): Promise<void> {
  if (!out.write(data) && !out.destroyed) await once(out, 'drain')
}

/** Characters that move the cursor, change colors, reorder text or can't be seen. */
const signs = String.raw`\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff`
const unsafe = new RegExp(`[${signs}]`, 'gu')
/** The same, and bytes that aren't UTF-8. */
const unsafeInNames = new RegExp(`([${signs}\\uef80-\\uefff]+)`, 'u')

/** JSON of one line, in which no character acts on a terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(unsafe, (sign) =>
    sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A text for a terminal, with escapes instead of control characters. */
export const printable = (text: string): string =>
  text.replace(unsafe, (sign) => (sign === '\n' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`))

/** A text of several lines for a terminal. */
export const shownText = (text: string): string => printable(text.replaceAll('\r\n', '\n').replaceAll('\t', '    '))

/** A name as `ls` writes it on a terminal: quoted for shells if it has to be, with escapes for control characters and stray bytes. */
export function shellText(name: string): string {
  const pieces = name.split(unsafeInNames)
  if (pieces.length > 1)
    return pieces.map((piece, at) => (at % 2 === 0 ? plainPiece(piece, at) : escapedPiece(piece))).join('')
  if (!/[\s!"#$&'()*;<=>?[\\\]^`{|}~]/.test(name) && name !== '') return name
  if (!name.includes("'")) return `'${name}'`
  return /[!"$\\`]/.test(name) ? `'${name.replaceAll("'", String.raw`'\''`)}'` : `"${name}"`
}

const plainPiece = (piece: string, at: number): string =>
  piece === '' && at > 0 ? '' : `'${piece.replaceAll("'", String.raw`'\''`)}'`

const letters: Record<number, string> = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' }
function escapedPiece(piece: string): string {
  const bytes = hasStray(piece) ? bytesOfName(piece) : Buffer.from(piece)
  return `$'${[...bytes].map((byte) => `\\${letters[byte] ?? byte.toString(8).padStart(3, '0')}`).join('')}'`
}

const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** A cell that no spreadsheet reads as a formula, as in downloads of the product. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function tableText(rows: readonly object[], columns: readonly string[]): string {
  const titles = columns.map(titleOf)
  const lines = [titles, ...rows.map((row) => columns.map((column) => cellText(kindOf(column), valueAt(row, column))))]
  const widths = columns.map((_, at) => lines.reduce((width, cells) => Math.max(width, widthOf(cells[at] ?? '')), 0))
  const padded = (cell: string, at: number): string => {
    const blanks = ' '.repeat((widths[at] ?? 0) - widthOf(cell))
    return isNumber(kindOf(columns[at] ?? '')) ? blanks + cell : cell + blanks
  }
  return lines.map((cells) => `${cells.map(padded).join('  ').trimEnd()}\n`).join('')
}

/** `numberOfFiles` is FILES, and `lastScan.finishedAt` FINISHED AT. */
const titleOf = (column: string): string =>
  column
    .replace(/.*\.|^full|^numberOf|(?<=^size)OfFiles/g, '')
    .replace(/(?<=.)(?=[A-Z])/g, ' ')
    .toUpperCase()

/** Fields of each kind, as the API names them. Others are text. */
const fieldsOfKinds = {
  size: 'size sizeOfFiles sizeOnDisk allocatedSize reclaimable sizeOfFilesFound',
  change: 'delta growth grown shrunk',
  count: 'files folders count folderCount numberOfFiles numberOfFolders numberOfFilesFound filesGrowth',
  moment: 'lastModified lastAccess lastModifiedDate lastExecutionDate createdAt updatedAt finishedAt since',
  path: 'fullPath path name field',
}
type Kind = keyof typeof fieldsOfKinds
const kindOf = (column: string): Kind | undefined =>
  (Object.keys(fieldsOfKinds) as Kind[]).find((kind) =>
    fieldsOfKinds[kind].split(' ').includes(column.replace(/.*\./, '')),
  )
const isNumber = (kind: Kind | undefined): boolean => kind === 'size' || kind === 'change' || kind === 'count'

/** Columns of a text on a terminal: two for letters of East Asia and emoji. */
const widthOf = (text: string): number =>
  [...text.replace(/\p{M}|[\u200c\u200d]/gu, '')].reduce((sum, sign) => sum + (wide.test(sign) ? 2 : 1), 0)
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

function cellText(kind: Kind | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'number' && kind === 'size') return sizeText(value)
  if (typeof value === 'number' && kind === 'change') return changeText(value)
  if (typeof value === 'number' && kind === 'count') return countText(value)
  if (typeof value === 'string' && kind === 'moment') return momentText(value)
  return kind === 'path' ? shellText(String(value)) : printable(wordsOf(value)).replaceAll('\n', ' ')
}

/** A value in words: of a named thing its name. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return String('name' in value ? value.name : Object.values(value).join(' '))
}

/** A day, or a time in the time zone of this machine. */
const momentText = (text: string): string =>
  text.length === 10 ? text : new Date(text).toLocaleString('sv').slice(0, 16)

/** Bytes with three digits: `1.46 MiB`. -1 is unknown. */
export const sizeText = (bytes: number): string => sizeWords(bytes, '2')
export const changeText = (bytes: number): string => `${bytes < 0 ? '-' : '+'}${sizeText(Math.abs(bytes))}`
