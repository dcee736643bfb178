import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { decodeKey } from '../listing/keys.ts'
import { type InventoryColumn, type InventoryRow, NoRow, readColumns } from './inventoryObject.ts'

/** Characters of a line. A key of 1,024 bytes, each written as %XX, takes 3,072. */
const maxLine = 64 * 1024
/** Bytes of the file, from the first on. */
type PackedFile = { createReadStream(): Readable }

/** Rows that come at once. */
const rowsAtOnce = 2_000

/**
 * Reads a file of an inventory in CSV, packed by gzip, without a line of titles. Keys are written as in addresses. Throws what zlib
 * throws for a file that is cut short or damaged, and `NoRow` for a line that is too long. A line that is no CSV is a row without values.
 */
export async function* readCsv(file: PackedFile, columns: readonly string[]): AsyncGenerator<InventoryRow[]> {
  const places = readColumns.flatMap((column) => {
    const place = columns.indexOf(column)
    return place < 0 ? [] : [[column, place] as const]
  })
  let rows: InventoryRow[] = []
  for await (const line of linesOf(file)) {
    rows.push(rowOf(fieldsOf(line) ?? [], places))
    if (rows.length < rowsAtOnce) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

async function* linesOf(file: PackedFile): AsyncGenerator<string> {
  const packed = file.createReadStream()
  const unpacked = createGunzip()
  packed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  let rest = ''
  for await (const text of unpacked.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLine) throw new NoRow(`a line is longer than ${maxLine} characters`)
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

type Places = (readonly [InventoryColumn, number])[]

function rowOf(fields: string[], places: Places): InventoryRow {
  const row: InventoryRow = {}
  for (const [column, place] of places) {
    const field = fields[place]
    if (field !== undefined) row[column] = column === 'key' ? decodeKey(field, ' ') : field
  }
  return row
}

const field = /(?:"((?:[^"]|"")*)"|([^",\r]*))(,|\r?$)/y

/** The fields of a line. They are in quotes, and quotes within them are doubled. Undefined for a line that is no CSV. */
export function fieldsOf(line: string): string[] | undefined {
  const fields: string[] = []
  field.lastIndex = 0
  for (;;) {
    const found = field.exec(line)
    if (!found) return undefined
    fields.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] !== ',') return fields
  }
}
