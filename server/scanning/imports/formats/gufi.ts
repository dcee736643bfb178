import { nameFromBytes } from '#events/contract/fileNames.ts'
import { type RawEntry, UnreadableLineError } from './entries.ts'
import { checkLength, formatReader, readLines } from './lines.ts'
import { count, timeOf } from './values.ts'

const delimiter = '\x1e'

/**
 * Traces of `gufi_dir2trace`, also several one after the other, see
 * https://github.com/mar-file-system/GUFI/blob/main/src/trace.c: name, type, inode, mode, nlink, uid, gid, size, block size, blocks, atime,
 * mtime, ctime, link, extended attributes, crtime … Names and links have their length before them, since a name may have a line end.
 * Older traces lack the lengths.
 */
export const gufi = formatReader(
  [
    'size',
    'allocatedSize',
    'created',
    'modified',
    'accessed',
    'owner',
    'group',
    'mode',
    'inode',
    'linkCount',
    'linkTarget',
  ],
  readLines(() => {
    let start = ''
    return (line, number) => {
      const text = start + line
      checkLength(text, number)
      const length = lengthAt(text, 0)
      const isShort = length !== undefined && text.length < length + 5
      start = isShort && !line.includes(delimiter) ? `${text}\n` : ''
      return start === '' ? entryOf(text) : undefined
    }
  }, 'latin1'),
)

/** Length of a text, if a delimiter is at its end. */
function lengthAt(line: string, at: number): number | undefined {
  const digits = line.slice(at, at + 4)
  return /^[0-9a-f]{4}$/.test(digits) ? parseInt(digits, 16) : undefined
}

const bytes = (text: string): string => nameFromBytes(Buffer.from(text, 'latin1'))

function entryOf(line: string): RawEntry | undefined {
  const length = lengthAt(line, 0)
  const isPrefixed = length !== undefined && line[length + 4] === delimiter
  const end = isPrefixed ? length + 4 : line.indexOf(delimiter)
  if (end < 0) throw new UnreadableLineError('has no delimiter \\x1e')
  const path = bytes(line.slice(isPrefixed ? 4 : 0, end))
  const [type = '', ...cells] = line.slice(end + 1).split(delimiter)
  // Databases outside the tree.
  if (type === 'e') return undefined
  if (!/^[dfl]$/.test(type)) throw new UnreadableLineError(`has the type ${JSON.stringify(type.slice(0, 20))}`)
  if (cells.length < 11) throw new UnreadableLineError(`has ${cells.length + 2} fields`)
  return { path, isWindows: false, isDirectory: type === 'd', ...fieldsOf(cells, isPrefixed ? 4 : 0) }
}

/** Fields after the type. The link starts with its length. */
function fieldsOf(cells: readonly string[], lengthDigits: number) {
  const cell = (at: number) => cells[at] ?? ''
  const number = (at: number) => count(cell(at), `field ${at + 3}`)
  const allocated = number(7)
  // Extended attributes may have delimiters, so the time of birth is found from the end.
  const created = cells.length >= 22 ? (cells.at(-9) ?? '') : ''
  return {
    size: number(5),
    allocatedSize: allocated === undefined ? undefined : Number(allocated) * 512,
    created: /^\d+$/.test(created) ? timeOf(created) : undefined,
    modified: timeOf(cell(9)),
    accessed: timeOf(cell(8)),
    owner: cell(3),
    group: cell(4),
    mode: Number(number(1) ?? 0),
    inode: number(0),
    linkCount: Number(number(2) ?? 1),
    linkTarget: bytes(cell(11).slice(lengthDigits)) || undefined,
  }
}
