import { isUtf8 } from 'node:buffer'

const newline = 0x0a

/**
 * Throws a TypeError unless `tsv` may follow an INSERT: UTF-8, a newline after each row and no empty line, because an
 * empty line ends the data and the rest would run as SQL. A NUL ends the whole statement, so the rows after it would be
 * lost.
 */
export function checkRows(tsv: Uint8Array): void {
  const bytes = Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength)
  if (!isUtf8(bytes)) throw new TypeError('Rows must be UTF-8')
  if (bytes.at(-1) !== newline) throw new TypeError('Rows must end with a newline')
  if (bytes.includes(0)) throw new TypeError('Rows must not have a NUL')
  if (bytes[0] === newline || bytes.includes('\n\n')) throw new TypeError('Rows must not have an empty line')
}

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
/** Escapes a field of tab-separated text. */
export const escape = (text: string): string =>
  special.test(text) ? text.replace(specials, (character) => escapes[character] as string) : text
