import { isUtf8 } from 'node:buffer'
import { bytesOfName, hasStray, nameFromBytes } from '#events/contract/fileNames.ts'
import { byteOfLoneSurrogate } from './unconfirmed.ts'

/**
 * Parses JSON in which names may have bytes that are not UTF-8, and integers may exceed 2^53. Texts cross as names of entries do: stray
 * bytes are U+EF80 + byte − 128. Larger integers are BigInts. Throws `SyntaxError`.
 */
export function parseJson(body: Uint8Array): unknown {
  const text = unescapeStrays(textOf(body))
  return /\d{16}/.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text)
}

/** A run of bytes above 127 has whole characters, because a character of UTF-8 has no byte below 128. */
function textOf(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = isUtf8(bytes) ? bytes.toString() : undefined
  if (text !== undefined && !hasStray(text)) return text
  return bytes.toString('latin1').replaceAll(/[\x80-\xff]+/g, (run) => nameFromBytes(Buffer.from(run, 'latin1')))
}

/** Characters that stand for stray bytes on the wire may also be written as escapes, such as `\uef80`. */
function unescapeStrays(text: string): string {
  if (!/\\u(?:ef[89a-f]|d[89a-f])/i.test(text)) return text
  return text.replaceAll(/\\u(d[89ab]..)\\u(d[c-f]..)|\\u(....)|\\./gis, (escape, high, low, code) => {
    const character = String.fromCharCode(
      ...[high, low, code].flatMap((digits) => (digits ? [parseInt(digits, 16)] : [])),
    )
    if (character.isWellFormed()) return hasStray(character) ? nameFromBytes(Buffer.from(character)) : escape
    const byte = byteOfLoneSurrogate(character.charCodeAt(0))
    return byte === undefined ? '\ufffd' : nameFromBytes(Buffer.from([byte]))
  })
}

function exactInteger(_: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source ?? ''
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** Percent-encodes the bytes of a path of the wire, such as '/a/b'. */
export function encodePath(path: string): string {
  if (!hasStray(path)) return path.split('/').map(encodeURIComponent).join('/')
  return path
    .split('/')
    .map((name) => [...bytesOfName(name)].map(encodeByte).join(''))
    .join('/')
}

const encodeByte = (byte: number): string => {
  const character = String.fromCharCode(byte)
  return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
