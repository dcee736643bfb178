import { expect, test } from 'vitest'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { ImportFormat } from '#events/imports/formats.ts'
import { defaultPrintf } from './find.ts'
import { type ImportedEntry, type ParserOptions, RefusedExport } from './format.ts'
import { formatReaders } from './index.ts'
import { samples } from './testing/samples.ts'

/** Reads a document in pieces of a few bytes, as a slow connection sends it. */
async function read(format: ImportFormat, document: string | Uint8Array, options: ParserOptions = {}, piece = 7) {
  const bytes = Buffer.from(document as string)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  const parsed = formatReaders[format].parse(pieces(), options)
  const entries: ImportedEntry[] = []
  for await (const batch of parsed.entries) entries.push(...batch)
  return { entries, unreadable: parsed.unreadable, prefix: parsed.prefix }
}

/** Fields of an entry that are known. */
const known = (entry: ImportedEntry | undefined) =>
  Object.fromEntries(Object.entries(entry ?? {}).filter(([, value]) => value !== undefined))

test.each(samples)('reads a sample of $name', async ({ format, document, options = {}, prefix = '', expected }) => {
  for (const piece of [1, 5, 100_000]) {
    const found = await read(format, document, options, piece)
    expect(found.unreadable).toEqual({ lines: [], count: 0 })
    expect(found.prefix).toBe(prefix)
    expect(found.entries.map(known)).toEqual(expected)
  }
})

test('mutated samples neither hang nor fail otherwise, and name no path outside', async () => {
  const random = newRandom(31)
  const pieces = [
    '..',
    '/../../etc',
    '\0',
    '"',
    '{',
    '}',
    '[',
    ']',
    '\n',
    '\xff',
    '<',
    '>',
    ',',
    '\x1e',
    '9'.repeat(30),
    '\\',
    '\ufeff',
  ]
  let refused = 0
  const count = cases(5_000, 20_000)
  for (let at = 0; at < count; at++) {
    const { format, document, options } = random.pick(samples)
    const bytes = Buffer.from(document as string)
    const start = random.below(bytes.length)
    const end = start + random.below(random.chance(0.5) ? 3 : 60)
    const other = random.chance(0.3)
      ? bytes.subarray(random.below(bytes.length))
      : Buffer.from(random.pick(pieces), 'latin1')
    const mutated = Buffer.concat([bytes.subarray(0, start), other, bytes.subarray(end)])
    const outcome = await read(
      random.chance(0.9) ? format : random.pick(ImportFormat.options),
      mutated,
      options,
      50,
    ).catch((error: unknown) => error)
    if (outcome instanceof Error) refused++
    const message = outcome instanceof RefusedExport ? outcome.message : ''
    const paths =
      outcome instanceof Error ? [] : (outcome as { entries: ImportedEntry[] }).entries.map(({ path }) => path)
    expect(message || paths.length).toBeTruthy()
    expect(message).toMatch(/^(?:Line \d+|The file|The format|$)/)
    expect(paths.filter((path) => /(?:^|\/)\.{1,2}(?:\/|$)|^\/|\/\/|\/$|\0/.test(path))).toEqual([])
  }
  expect(refused).toBeGreaterThan(count / 20)
  expect(refused).toBeLessThan(count)
})

test.each<[string, ImportFormat, string, string]>([
  ['a billion braces', 'ncdu', '{'.repeat(100_000), 'Line 1: {{ is not JSON'],
  ['nested folders', 'ncdu', `[1,2,{}${',[{"name":"a"}'.repeat(5_000)}`, 'nested deeper than 2048'],
  ['an export that ends early', 'ncdu', '[1,2,{},\n[{"name":"/a"},\n{"name":"b"}', 'Line 3: the file ends within 2'],
  ['a name with a slash', 'gdu', '[1,2,{},[{"name":"/a"},\n{"name":"../../etc"}]]', 'Line 2: a name is "../../etc"'],
  ['an endless item', 'ncdu', `[1,2,{},[{"name":"${'a'.repeat(2_000_000)}`, 'longer than 1 MiB'],
  ['an endless line', 'du', 'a'.repeat(2_000_000), 'Line 1 is longer than 1 MiB'],
  ['an endless cell', 'csv', `path,size\n"${'a\n'.repeat(1_000_000)}`, 'Line 2'],
  ['an endless name', 'treesize', `<Root><Folder><Name>${'a '.repeat(1_000_000)}`, 'longer than 1 MiB'],
  ['a document type', 'treesize', '<!DOCTYPE a [<!ENTITY b "c">]><Root/>', 'document types are not read'],
  ['nested elements', 'treesize', '<Folder>'.repeat(10_000), 'nested deeper'],
  ['a table without paths', 'csv', 'size,owner\n1,ana\n', 'no column with the path'],
  ['a list of folders', 'wiztree', 'File Name,Size\n"C:\\a\\",5\n', 'folders only'],
  ['another format', 'du', '[1,2,{"progname":"ncdu"}]', 'Line 1: has no tab'],
  ['an empty file', 'find', '', 'no entries'],
])('refuses %s', async (_, format, document, message) => {
  await expect(read(format, document, {}, 64 * 1024)).rejects.toThrow(message)
})

test('reports lines that cannot be read, and reads the others', async () => {
  const { entries, unreadable } = await read('du', '4\t./a\nnothing\n4\t./../b\nx9\t./c\n12\t.\n')
  expect(entries.map(({ path }) => path)).toEqual(['a', ''])
  expect(unreadable).toEqual({
    count: 3,
    lines: [
      { line: 2, reason: 'has no tab after the size' },
      { line: 3, reason: 'has a path with ..' },
      { line: 4, reason: 'has the size "x9"' },
    ],
  })
})

test('imports a folder within or above the export, and reports what is outside', async () => {
  const document = ['/data', '/data/films', '/data/films/a.mov', '/data/other'].map((path) => `f\t${path}\0`).join('')
  const options = { printf: String.raw`%y\t%p\0` }
  const below = await read('find', document, { ...options, root: '/data/films/' })
  expect(below.entries.map(({ path }) => path)).toEqual(['', 'a.mov'])
  expect(below.unreadable.lines.map(({ line }) => line)).toEqual([1, 4])
  const above = await read('find', document, { ...options, root: '/' })
  expect(above.entries.at(-1)?.path).toBe('data/other')
})

test('reads sizes with units, separators and unknown values', async () => {
  const sizes = ['1,5 GB', '1.234.567', '12 KiB', "1'234 Bytes", '1\u00a0234', '2,25 MB', '', '0']
  const document = `path;size\n${sizes.map((size, at) => `/d/${at};${size}`).join('\n')}\n`
  const { entries } = await read('csv', document)
  expect(entries.map(({ size }) => size)).toEqual([
    1.5 * 1024 ** 3,
    1_234_567,
    12_288,
    1_234,
    1_234,
    2.25 * 1024 ** 2,
    undefined,
    0,
  ])
})

test.each([
  ['12/31/2025 11:00 PM', '03/04/2025', '2025-03-04T00:00:00'],
  ['31/12/2025', '03/04/2025', '2025-04-03T00:00:00'],
  ['01/01/2025', '03/04/2025', undefined],
  ['', '03.04.2025 10:20', '2025-04-03T10:20:00'],
  ['', '2025-04-03T10:20:00+02:00', '2025-04-03T08:20:00Z'],
  ['', '1743668400000', '2025-04-03T08:20:00Z'],
])('with %j in the file, the date %j is %j', async (other, date, expected) => {
  const { entries } = await read('csv', `path,modified\n/d/a,"${other}"\n/d/b,"${date}"\n`)
  expect(entries[1]?.modified).toBe(expected === undefined ? undefined : Date.parse(expected) / 1000)
})

const euro = '/d/caf\u00e9 \u20ac.mov'
test.each([
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeffpath,size\n${euro},1\n`)],
  ['UTF-16 LE', Buffer.from(`\ufeffpath,size\n${euro},1\n`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\ufeffpath,size\n${euro},1\n`, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('path,size\n/d/caf\xe9 \x80.mov,1\n', 'latin1')],
])('reads a CSV in %s', async (_, document) => {
  const { entries } = await read('csv', document)
  expect(entries.map(({ path, size }) => `/${path} ${size}`)).toEqual([`${euro} 1`])
})

test('keeps the bytes of names that are not UTF-8', async () => {
  const { entries } = await read('du', Buffer.from('4\t./n\xffame\n4\t.\n', 'latin1'))
  expect(entries[0]?.path).toBe('n\uefffame')
})

test('reads names with line ends and separators in the format of the documentation', async () => {
  const line = ['f', 3, 8, '1750000000.5', '0', 'ana', 'film', '640', 5, 7, 2, '/d/a\tb\nc'].join('\t')
  const { entries } = await read('find', `${line}\0`, { printf: defaultPrintf, root: '/d' })
  expect(known(entries[0])).toMatchObject({
    path: 'a\tb\nc',
    size: 3,
    allocatedSize: 4_096,
    mode: 0o100640,
    linkCount: 2,
  })
})

/** Public reports of other tools: an emoji as two escapes, a byte order mark in a header, and a title before it. */
test('reads what other importers failed on', async () => {
  // https://github.com/wodny/ncdu-export/issues/5
  const emoji = await read('ncdu', String.raw`[1,2,{},[{"name":"/d"},{"name":"\ud83e\udde1"}]]`)
  expect(emoji.entries[1]?.path).toBe('d/🧡')
  // https://github.com/benhoyt/goawk/pull/126
  const marked = await read('csv', '\ufeff"path","size"\n"/d/a","1"\n')
  expect(marked.entries[0]?.size).toBe(1)
  // https://github.com/shundhammer/qdirstat/issues/88: links of a file are separated by inode, where du lists the first one.
  const links = await read(
    'ncdu',
    '[1,2,{},[{"name":"/d","dev":9},{"name":"a","asize":1,"ino":5,"hlnkc":true},{"name":"b","asize":1,"ino":5,"hlnkc":true}]]',
  )
  expect(links.entries.slice(1).map(({ device, inode }) => [device, inode])).toEqual([
    [9, 5],
    [9, 5],
  ])
})
