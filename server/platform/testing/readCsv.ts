import { buffer } from 'node:stream/consumers'
import type { Download } from '#server/platform/http/download.ts'

/**
 * Reads a whole CSV file of ours, for tests. Strict: the byte order mark, UTF-8, CR LF line ends, quotes only around a
 * whole cell, and an equal number of cells in each row.
 */
export function readCsv(file: Uint8Array): string[][] {
  const text = decode(file)
  const rows: string[][] = []
  let row: string[] = []
  cell.lastIndex = 1
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, quoted, plain, end] = cell.exec(text) ?? fail(`at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (rows[0] && rows[0].length !== row.length) fail(`row ${rows.length + 1} has ${row.length} cells`)
    rows.push(row)
    row = []
  }
  if (row.length > 0) fail('the last row has no end')
  return rows
}

const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

function decode(file: Uint8Array): string {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let read: string
  try {
    read = text.decode(file)
  } catch {
    return fail('it is not UTF-8')
  }
  return read.startsWith('\ufeff') ? read : fail('the byte order mark is missing')
}

function fail(reason: string): never {
  throw new Error(`No CSV: ${reason}`)
}

/** Reads all bytes of a download and closes it. */
export async function readDownload(file: Download): Promise<Buffer> {
  if ('body' in file) return buffer(file.body)
  return buffer(file.read(0, file.size)).finally(file.close)
}
