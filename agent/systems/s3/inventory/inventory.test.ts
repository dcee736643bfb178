import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { pathOf } from '../../../testing/decodeRows.ts'
import { madeUpObjects } from '../../../testing/madeUpStore.ts'
import { StoreBusy } from '../../system.ts'
import { filesIn, forever, keysOf, rowsOf } from '../../testing.ts'
import { objectsOf, type SimulatorOptions } from '../simulator/index.ts'
import { account, openMedia, simulator } from '../testing.ts'
import { fieldsOf } from './readCsv.ts'
import { readFile, type ReaderLimits } from './readFile.ts'
import { bucketOf, delivered, folder, type InventoryRowMade, md5, place } from './testing.ts'

const objects = madeUpObjects(12_000)
const media = { objects: objectsOf(objects) }
const formats = ['CSV', 'Parquet'] as const

/** A store whose bucket `reports` has these files. */
const storeWith = (files: ReadonlyMap<string, Uint8Array>, options: Partial<SimulatorOptions> = {}) =>
  simulator({ buckets: { media, reports: bucketOf(files) }, ...options })
const changed = (files: Map<string, Uint8Array>, isIt: RegExp, change: (bytes: Uint8Array) => Uint8Array | undefined) =>
  new Map(
    [...files].flatMap(([key, bytes]) => {
      const after = isIt.test(key) ? change(bytes) : bytes
      return after ? [[key, after] as const] : []
    }),
  )

test.each(formats)(
  '%s: an inventory gives the snapshot that a listing gives, also of a folder alone',
  async (format) => {
    const store = await storeWith(delivered(objects, { format }), {
      behaviour: { busy: 3, busyHeaders: { 'retry-after': '0' } },
    })
    const facts = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
      filesIn(rows)
        .map((row) => JSON.stringify([pathOf(row), row.size, row.modified, row.etag, row.storage_class, row.owner]))
        .sort()
    const listed = facts(await rowsOf(openMedia(store)))
    expect(listed).toHaveLength(objects.length)
    const inventory = openMedia(store, { inventory: place })
    await inventory.check(forever)
    expect(facts(await rowsOf(inventory)).join('\n') === listed.join('\n')).toBe(true)
    expect(inventory.takenAt?.()).toBe('2026-11-24T01:00:00.000Z')
    const below = facts(await rowsOf(openMedia(store, { prefix: 'odd/' }), '/odd'))
    expect(below.length).toBeGreaterThan(0)
    expect(facts(await rowsOf(openMedia(store, { inventory: place, prefix: 'odd/' }), '/odd'))).toEqual(below)
  },
)

test.each(formats)('%s: older versions and what was deleted are left out', async (format) => {
  const rows: InventoryRowMade[] = [
    { key: 'a b+%/ü.mov', size: 5, modified: 7 },
    { key: 'a b+%/ü.mov', size: 4, modified: 6, isLatest: false },
    { key: 'gone', size: 0, modified: 8, isDeleteMarker: true },
    { key: 'folder/', size: 0, modified: 9 },
  ]
  const store = await storeWith(delivered(rows, { format }))
  expect((await keysOf(openMedia(store, { inventory: place }))).sort()).toEqual(['a b+%/ü.mov', 'folder/'])
})

test('the newest inventory that has a manifest is read', async () => {
  const row = (key: string) => [{ key, size: 1, modified: 1 }]
  const files = new Map([
    ...delivered(row('old'), { moment: '2026-11-22T01-00Z' }),
    ...delivered(row('newest'), { moment: '2026-11-23T01-00Z' }),
    [`${folder}/2026-11-24T01-00Z/manifest.checksum`, Buffer.from('being written')] as const,
    [`${folder}/hive/dt=2026-11-24-01-00/symlink.txt`, Buffer.from('')] as const,
  ])
  expect(await keysOf(openMedia(await storeWith(files), { inventory: `${place}/` }))).toEqual(['newest'])
})

test.each(formats)('%s: a reading continues from a part that was kept, in the same inventory', async (format) => {
  const some = objects.slice(0, 3_000)
  const first = delivered(some, { format, rowsOfFile: 900 })
  const store = await storeWith(first)
  const parts = ['']
  const keys: string[] = []
  // Each page is read by an agent that knows nothing of the others.
  while (parts.length > 0) {
    const system = openMedia(store, { inventory: place })
    const page = await system.page(parts.shift() as string, { idle: 1, signal: forever })
    for (const { parentPath, name } of page.entries) keys.push(`${parentPath}${name}`.slice(1))
    parts.push(...page.rest)
    system.close()
  }
  expect(keys.sort()).toEqual(some.map(({ key }) => key).sort())
})

test('a busy store is only queried for the missing part of a file', async () => {
  const store = await storeWith(delivered(objects.slice(0, 100)))
  const system = openMedia(store, { inventory: place })
  const { rest } = await system.page('', { idle: 0, signal: forever })
  Object.assign(store.behaviour, { busy: 1, busyHeaders: { 'retry-after': '0' } })
  await expect(system.page(rest[0] as string, { idle: 0, signal: forever })).rejects.toBeInstanceOf(StoreBusy)
  expect([...(await system.page(rest[0] as string, { idle: 0, signal: forever })).entries]).toHaveLength(100)
})

const rows = objects.slice(0, 50)
const files = delivered(rows)
const withManifest = (manifest: Record<string, unknown>) => delivered(rows, { manifest })
/** A file that has the checksum of its manifest, and is no good. */
function withData(bytes: Uint8Array, format: 'CSV' | 'Parquet' = 'CSV'): Map<string, Uint8Array> {
  const key = `${folder}/data/odd`
  const manifest = { files: [{ key, size: bytes.length, MD5checksum: md5(bytes) }] }
  return new Map([...delivered([], { format, manifest }), [key, bytes]])
}
const line = (key: string, size: string, date = '') =>
  `"media","${key}","","true","false","${size}","${date}","","",""\n`

test.each<[string, Map<string, Uint8Array>, RegExp]>([
  ['no inventory', new Map(), /^There is no inventory below s3:\/\/reports\/inventory\/media\/daily: its folders/],
  ['no manifest', changed(files, /manifest[.]json$/, () => undefined), /2026-11-24T01-00Z has no manifest[.]json$/],
  ['a manifest that is none', changed(files, /manifest/, () => Buffer.from('<html>')), /checksum file next to it$/],
  [
    'a manifest that is no JSON',
    changed(files, /manifest/, (bytes) => (bytes.length < 40 ? undefined : Buffer.from('<html>'))),
    /manifest[.]json cannot be read: it is not JSON$/,
  ],
  ['a manifest without files', withManifest({ files: 'none' }), /cannot be read: files: /],
  ['another bucket', withManifest({ sourceBucket: 'stills' }), /is of the bucket stills, not of media$/],
  ['ORC', withManifest({ fileFormat: 'ORC' }), /is written as ORC, which is not read: choose CSV or Parquet for it$/],
  ['no keys', delivered(rows, { without: ['Key'] }), /has no column Key: choose it among the fields/],
  ['no sizes', delivered(rows, { format: 'Parquet', without: ['Size'] }), /has no column Size: choose it/],
  [
    'a file that is not there',
    changed(files, /csv[.]gz$/, () => undefined),
    /-0[.]csv[.]gz of the inventory is not there$/,
  ],
  [
    'a wrong checksum',
    changed(files, /csv[.]gz$/, (bytes) => bytes.map((byte, i) => (i === 30 ? byte ^ 1 : byte))),
    /-0[.]csv[.]gz of the inventory does not have the checksum that its manifest says$/,
  ],
  [
    'a file that ends early',
    changed(files, /csv[.]gz$/, (bytes) => bytes.subarray(0, 100)),
    /does not have \d+ bytes, as its manifest says$/,
  ],
  [
    'a gzip that is cut short',
    withData(gzipSync(line('a', '1').repeat(900)).subarray(0, 60)),
    /as CSV: it is cut short$/,
  ],
  ['no gzip', withData(Buffer.from(line('a', '1'))), /as CSV: it is damaged, or is not gzip$/],
  ['no Parquet', withData(Buffer.from('PAR1 and nothing else'), 'Parquet'), /cannot be read as Parquet: /],
  [
    'a file larger than the disk',
    withManifest({ files: [{ key: `${folder}/data/large`, size: 10 ** 15, MD5checksum: md5(Buffer.from('')) }] }),
    /large of the inventory has 1000000000000000 bytes, and there is only space for \d+ in /,
  ],
  [
    'Parquet that says it has endless rows',
    withData(
      Buffer.from(
        'UEFSMRUEGTxIBHJvb3QVBAAVDCUAGANrZXklAAAVBCUAGARzaXplABbA8P//////HxkAOSwcAAAcAAAAOAAAAFBBUjE=',
        'base64',
      ),
      'Parquet',
    ),
    /as Parquet: it says that it has \d+ rows, and has 0$/,
  ],
  ['rows without any key', withData(gzipSync(line('', '1').repeat(2))), /as CSV: no row has a key$/],
  ['a line without end', withData(gzipSync('x'.repeat(200_000))), /as CSV: a line is longer than 65536 characters$/],
])('%s: the scan ends, and says what is wrong', async (_, files, reason) => {
  await expect(rowsOf(openMedia(await storeWith(files), { inventory: place }))).rejects.toThrow(reason)
})

/** A file in the temporary folder of the test. */
async function opened(bytes: Uint8Array): Promise<FileHandle> {
  const path = join(await mkdtemp(join(tmpdir(), 'dataintell-inventory-')), 'file')
  onTestFinished(() => rm(dirname(path), { recursive: true }))
  await writeFile(path, bytes)
  const handle = await open(path)
  onTestFinished(() => handle.close())
  return handle
}

test('a file that keeps its reader busy, or takes its memory, ends the reading and nothing else', async () => {
  // Empty lines are no rows: 256 MB of them are packed in 256 KB.
  const bomb = await opened(gzipSync(Buffer.alloc(256 * 1024 ** 2, '\n'), { level: 1 }))
  const read = (limits: Partial<ReaderLimits>) =>
    readFile(
      bomb,
      { format: 'CSV', columns: ['Key'], size: 0 },
      { timeoutMs: 60_000, memory: 1024 ** 3, ...limits },
    ).next()
  await expect(read({ timeoutMs: 200 })).rejects.toThrow('the next rows took longer than 0.2 s')
  await expect(read({ memory: 1_000_000 })).rejects.toThrow('it takes too much memory')
})

test('odd rows are counted, and all others are read', async () => {
  const odd = [line('b', ''), line('', '1'), line('c', '1', 'today'), '"media"\n', '"media,"a"b"\n']
  const store = await storeWith(withData(gzipSync([line('a', '1'), ...odd, line('d', '4')].join(''))))
  const media = openMedia(store, { inventory: place })
  expect((await rowsOf(media).then(filesIn)).map((row) => [pathOf(row), row.size])).toEqual([
    ['/a', '1'],
    ['/b', '-1'],
    ['/c', '1'],
    ['/d', '4'],
  ])
  expect(media.note?.()).toBe(
    '5 records could not be read in full: 3 without a key were left out, 1 without a size, 1 without a date.',
  )
})

test('the missing right is reported if keys may list but not read', async () => {
  const store = await storeWith(files, { accounts: [{ ...account, mayReadObjects: false }] })
  await expect(openMedia(store, { inventory: place }).check(forever)).rejects.toThrow(
    'These credentials have no right to read objects of the bucket reports (s3:GetObject)',
  )
})

test('a store that sends whole objects instead of ranges is read, too, as far as they can be', async () => {
  const store = await storeWith(delivered(objects.slice(0, 3_000)), { behaviour: { ignoresRanges: true } })
  expect(await keysOf(openMedia(store, { inventory: place }))).toHaveLength(3_000)
  const long = openMedia(store, { inventory: place }, { maxBytes: 20_000 })
  await expect(keysOf(long)).rejects.toThrow('sends more of an object than is read at once')
})

test('lines are read as others write CSV, too', () => {
  expect(fieldsOf('"a","b ""c"" d",,e,""')).toEqual(['a', 'b "c" d', '', 'e', ''])
  expect(fieldsOf('a\r')).toEqual(['a'])
})

test('an empty inventory is an empty bucket', async () => {
  const store = await storeWith(delivered([]))
  expect(await rowsOf(openMedia(store, { inventory: place })).then(filesIn)).toEqual([])
})
