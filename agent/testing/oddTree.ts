import { linkSync, lutimesSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names as byte strings, one byte per character, that careless programs get wrong. */
const oddNames = [
  ' leading and trailing ',
  'tab\tand\nnew line\r',
  '-rf',
  'quote \' " ` $(x) ; DROP TABLE scans',
  'back\\slash \\t \\N',
  '\\N',
  'a\xff\xfeb', // not UTF-8
  '\xc3(',
  '\xe2\x82', // a truncated character
  '\xee\xbe\x80', // U+EF80 itself, which encodes a byte
  '\xef\xbf\xbd', // U+FFFD itself
  '\xed\xa0\x80', // half of a surrogate pair
  Buffer.from('ünïcödé 文件 😀').toString('latin1'),
  Buffer.from('e\u0301 is not é').toString('latin1'),
  '\u0001\u0008\u000c\u007f',
  '*?[x]{}',
  'x'.repeat(255),
  '...',
]

/** Seconds since 1970: before, at and after 1970, and after 2038 and 2106. */
export const oddDates = [-2_000_000_000, -86_400, -1, 0, 1, 2_147_483_648, 4_294_967_296, 9_999_999_999]

const folders = ['empty', 'names', 'dates', 'links/to', 'other', 'a/b/c/d/e/f/g/h/i/j']

/** Creates a tree with unusual names and dates, hard and symbolic links, empty and deep folders, and a sparse file. */
export function makeOddTree(root: string): void {
  const at = (path: string) => join(root, path)
  for (const folder of folders) mkdirSync(at(folder), { recursive: true })
  for (const name of oddNames) makeOdd(Buffer.from(at('names/')), Buffer.from(name, 'latin1'))
  for (const date of oddDates) {
    writeFileSync(at(`dates/${date}`), 'x'.repeat(Math.abs(date) % 100))
    // Node treats a negative number as the current time.
    utimesSync(at(`dates/${date}`), new Date(date * 1_000), new Date(date * 1_000))
  }
  writeFileSync(at('links/first'), 'counted once')
  for (const name of ['second', 'to/third']) linkSync(at('links/first'), at(`links/${name}`))
  const targets = { first: '../first', root: '/', up: '..', nowhere: 'nowhere', long: 'x'.repeat(4_000), odd: 'a\tb\n' }
  for (const [name, target] of Object.entries(targets)) symlinkSync(target, at(`links/to/${name}`))
  symlinkSync(Buffer.from('bytes \xff', 'latin1'), at('links/to/bytes'))
  lutimesSync(at('links/to/first'), 5, 6)
  writeFileSync(at('other/sparse'), 'hole')
  truncateSync(at('other/sparse'), 5_000_000)
  writeFileSync(at('a/b/c/d/e/f/g/h/i/j/bottom'), 'deep')
}

/** Creates a file, and next to it a folder of almost the same name with a file of that name in it. */
function makeOdd(beginning: Buffer, name: Buffer): void {
  const folder = Buffer.concat([beginning, Buffer.concat([Buffer.from('+'), name]).subarray(0, 255)])
  writeFileSync(Buffer.concat([beginning, name]), name)
  mkdirSync(folder)
  writeFileSync(Buffer.concat([folder, Buffer.from('/'), name]), 'inside')
}

/** Creates nested folders, with a file in each, too deep for a path. Only `rm -r` can remove them. */
export function makeDeepTree(root: string, depth: number): void {
  const before = process.cwd()
  process.chdir(root)
  for (let i = 0; i < depth; i++) {
    mkdirSync(deepName)
    process.chdir(deepName)
    writeFileSync('file', 'four')
  }
  process.chdir(before)
}
export const deepName = 'deep '.repeat(50)
