import { nameFromBytes } from '#events/contract/fileNames.ts'
import { Entries, type RawEntry } from './entries.ts'
import { type FormatReader, type ParserOptions, RefusedExport } from './format.ts'

/** Longest line, record or element, in bytes or characters. */
export const maxLength = 1024 * 1024

const newline = 10
/** Characters that decide which character ends lines. */
const startLength = 8_192
type Text = 'names' | 'windows' | 'latin1'

/**
 * Texts of an export in order, each ending with a line end where the file has one. Bytes that are not UTF-8 are stray bytes of names,
 * or of Windows-1252 for `windows`. Files with a byte order mark may be UTF-16.
 */
export async function* textsOf(bytes: AsyncIterable<Uint8Array>, kind: Text): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let utf16: TextDecoder | undefined
  let isStart = true
  for await (const part of bytes) {
    let chunk = rest.length > 0 ? Buffer.concat([rest, part]) : Buffer.from(part.buffer, part.byteOffset, part.length)
    if (isStart) {
      if (chunk.length < 4) {
        rest = chunk
        continue
      }
      isStart = false
      const encoding = kind === 'latin1' ? undefined : utf16Of(chunk)
      if (encoding) utf16 = new TextDecoder(encoding)
      else if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) chunk = chunk.subarray(3)
    }
    if (utf16) {
      yield utf16.decode(chunk, { stream: true })
      rest = Buffer.alloc(0)
      continue
    }
    const end = cutOf(chunk)
    if (end > 0) yield decode(chunk.subarray(0, end), kind)
    rest = Buffer.from(chunk.subarray(end))
  }
  if (rest.length > 0 || utf16) yield utf16 ? utf16.decode(rest) : decode(rest, kind)
}

/** With a byte order mark, or with zeros for every second character as some Windows tools write it. */
function utf16Of(chunk: Buffer): string | undefined {
  const [first, second, third, fourth] = chunk
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : undefined
}

/** End of the last line, or of the last character. */
function cutOf(chunk: Buffer): number {
  const line = chunk.lastIndexOf(newline)
  if (line >= 0) return line + 1
  for (let at = chunk.length - 1; at >= Math.max(0, chunk.length - 8); at--)
    if ((chunk[at] as number) < 0x80) return at + 1
  return chunk.length > 64 ? chunk.length : 0
}

const windows = new TextDecoder('windows-1252')

function decode(bytes: Buffer, kind: Text): string {
  if (kind === 'latin1') return bytes.toString('latin1')
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd')) return text
  if (kind === 'names') return nameFromBytes(bytes)
  // Line by line: a file may have lines of both kinds.
  let whole = ''
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(newline, at)
    const line = bytes.subarray(at, end < 0 ? bytes.length : end + 1)
    const plain = line.toString('utf8')
    whole += plain.includes('\ufffd') ? windows.decode(line) : plain
    at += line.length
  }
  return whole
}

/** Lines with their numbers, without the line ends. If the start has a NUL, NULs end lines as with `find -print0`. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<{ lines: string[]; from: number }> {
  let rest = ''
  let from = 1
  let end: string | undefined
  for await (const text of texts) {
    rest += text
    if (end === undefined && rest.length < startLength) continue
    end ??= rest.includes('\0') ? '\0' : '\n'
    const lines = rest.split(end)
    rest = lines.pop() ?? ''
    checkLength(rest, from + lines.length)
    if (lines.length > 0) yield { lines, from }
    from += lines.length
  }
  const lines = rest.split(end ?? (rest.includes('\0') ? '\0' : '\n'))
  if (lines.at(-1) === '') lines.pop()
  if (lines.length > 0) yield { lines, from }
}

/** Throws for a line, or another unit of a file, that is too long. */
export function checkLength(text: string, line: number): void {
  if (text.length > maxLength) throw new RefusedExport(`Line ${line} is longer than 1 MiB.`)
}

/** Reads a line; undefined if it isn't an entry. Throws `UnreadableLineError`. */
export type ReadLine = (line: string, number: number) => RawEntry | undefined

/** Adds the entries of a file. Yields whenever there is a full batch. */
export type FormatParser = (
  entries: Entries,
  bytes: AsyncIterable<Uint8Array>,
  options: ParserOptions,
) => AsyncGenerator<void, void>

/** Reads a format with one entry a line. `start` is called for each file. */
export const readLines = (
  start: (options: ParserOptions, entries: Entries) => ReadLine,
  kind: Text = 'names',
): FormatParser =>
  async function* (entries, bytes, options) {
    const read = start(options, entries)
    for await (const { lines, from } of linesOf(textsOf(bytes, kind))) {
      for (const [at, line] of lines.entries()) {
        entries.add(from + at, () => (line === '' || line === '\r' ? undefined : read(line, from + at)))
        if (entries.isFull) yield
      }
    }
  }

/** Reads one of two formats, by the first bytes of the file. */
export const readEither = (
  isFirst: (start: string) => boolean,
  first: FormatParser,
  second: FormatParser,
): FormatParser =>
  async function* (entries, bytes, options) {
    const parts = bytes[Symbol.asyncIterator]()
    const { value = new Uint8Array() } = (await parts.next()) as IteratorResult<Uint8Array, undefined>
    const all = async function* () {
      yield value
      yield* { [Symbol.asyncIterator]: () => parts }
    }
    const start = Buffer.from(value).toString('latin1').replaceAll('\0', '').slice(0, 100)
    yield* (isFirst(start) ? first : second)(entries, all(), options)
  }

/** A reader of a format. `isRelative`: its paths are relative to the root. */
export function formatReader(has: FormatReader['has'], read: FormatParser, isRelative = false): FormatReader {
  return {
    has,
    parse(bytes, options) {
      const entries = new Entries(options, isRelative)
      async function* batches() {
        for await (const _full of read(entries, bytes, options)) yield entries.take()
        entries.end()
        const last = entries.take()
        if (last.length > 0) yield last
      }
      return {
        entries: batches(),
        unreadable: entries.unreadable,
        get prefix() {
          return entries.prefix
        },
      }
    },
  }
}
