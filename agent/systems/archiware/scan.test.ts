import { expect, test } from 'vitest'
import { isEntry } from '#agent/testing/decodeRows.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { type ArchiwareOptions, changeIndexAtRandom, fillIndex } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { callsTo, contentsOf, defaultIndex, entriesOf, expectSame, openIndex, scan } from './testing.ts'

async function filled(count: number, options: ArchiwareOptions = {}) {
  const p5 = await simulator(options)
  const index = defaultIndex(p5)
  fillIndex(index, count)
  p5.addVolume('10102', { label: 'Archive Tape 2' })
  return { p5, index }
}

test('a full scan has each entry of the index once, with odd names and the labels of its volumes', async () => {
  const { p5, index } = await filled(3_000)
  changeIndexAtRandom(index, newRandom(7), 500)
  index.add('mnt/two tapes.mov', { size: 5, mtime: 1_699_990_000, volumes: ['10101', '10102', '99'] })
  p5.requests.length = 0
  const system = await openIndex(p5)
  const scanned = await scan(system)
  expectSame(entriesOf(scanned), contentsOf(p5, index))
  expect(entriesOf(scanned).find(({ path }) => path === '/mnt/two tapes.mov')).toEqual({
    path: '/mnt/two tapes.mov',
    isDirectory: false,
    size: 5,
    modified: 1_699_990_000,
    archived: expect.any(Number) as number,
    volumes: `${p5.volumes.get('10101')?.label}, Archive Tape 2, 99`,
  })
  expect(scanned.rows.filter((row) => isEntry(row) && row.parent_path === '')).toMatchObject([{ is_directory: '1' }])
  expect(scanned.unreadable).toEqual([])
  expect(system.listing === 'pages' && system.pages.requests()).toBe(p5.requests.length)
  expect(p5.maxParallelRequests()).toBeLessThanOrEqual(4)
  // Each folder, the top, and the index before and after. Volumes that P5 does not know are looked for by two paths.
  const folders = contentsOf(p5, index).filter(({ isDirectory }) => isDirectory).length
  const volumes = new Set([...index.entries()].flatMap(({ generations }) => generations.at(-1)?.volumes ?? []))
  const lookups = [...volumes].reduce((count, id) => count + (p5.volumes.has(id) ? 1 : 2), 0)
  expect(p5.requests.length).toBe(folders + 1 + 2 + lookups)
})

const readings: Record<string, ArchiwareOptions['behavior']> = {
  'volumes as volume': { volumeField: 'volume' },
  'volumes as a list': { volumeField: 'volumeid', volumeForm: 'list' },
  'numbers as text': { numbers: 'text' },
  'no groups': { hasGroups: false },
  'another word for files': { fileType: 'Regular' },
  'a top that is not listed': { listsRoot: false },
}

test.each(Object.entries(readings))('a server with %s gives the same entries', async (_, behavior) => {
  const { p5, index } = await filled(300, { behavior: behavior ?? {} })
  const found = entriesOf(await scan(await openIndex(p5)))
  // The top folders themselves have no times where they are not listed.
  const isTop = ({ path }: { path: string }) => path === '/mnt' && behavior?.listsRoot === false
  expectSame(
    found.filter((row) => !isTop(row)),
    contentsOf(p5, index).filter((row) => !isTop(row)),
  )
  expect(found.filter(isTop)).toHaveLength(behavior?.listsRoot === false ? 1 : 0)
})

test('a server without volumes of entries gives entries without metadata', async () => {
  const { p5 } = await filled(100, { behavior: { volumeField: 'none' } })
  expect(entriesOf(await scan(await openIndex(p5))).every(({ volumes }) => volumes === '')).toBe(true)
})

test('an index is scanned from a folder on, and a folder of that alone', async () => {
  const { p5, index } = await filled(500)
  const whole = contentsOf(p5, index, 'mnt/Projects')
  expectSame(entriesOf(await scan(await openIndex(p5, { path: '/mnt/Projects/' }))), whole)
  const scannedPath = '/odd names/a:b'
  const below = whole.filter(({ path }) => `${path}/`.startsWith(`${scannedPath}/`) || path === '/odd names')
  expectSame(entriesOf(await scan(await openIndex(p5, { path: '/mnt/Projects', scannedPath }))), below)
  for (const path of ['/mnt/Projects/odd names/a:b', '/mnt/Projects/odd names/a^2fb'])
    expectSame(
      entriesOf(await scan(await openIndex(p5, { path }))),
      contentsOf(p5, index, 'mnt/Projects/odd names/a:b'),
    )
  expect(entriesOf(await scan(await openIndex(p5, { scannedPath: '/mnt/gone/below' })))).toEqual([])
})

test('an index of imported volumes is scanned from the label that was entered', async () => {
  const p5 = await simulator()
  const index = p5.addIndex('Imported', { isImported: true })
  fillIndex(index, 200)
  const path = '/Import.0001/Volumes'
  expectSame(
    entriesOf(await scan(await openIndex(p5, { index: 'Imported', path }))),
    contentsOf(p5, index, path.slice(1)),
  )
  await expect(openIndex(p5, { index: 'Imported' }).then((opened) => scan(opened))).rejects.toThrow(
    'does not list the top of the index Imported. Enter a folder of it as the path of the storage',
  )
})

test('an ignored folder is not listed', async () => {
  const { p5, index } = await filled(500)
  const ignoredPaths = ['/mnt/Projects/odd names']
  p5.requests.length = 0
  const found = entriesOf(await scan(await openIndex(p5, { ignoredPaths })))
  expect(found.filter(({ path }) => path.startsWith('/mnt/Projects/odd names/'))).toEqual([])
  expect(callsTo(p5).filter((call) => /odd%20names/.test(call))).toEqual([])
  expect(found.length).toBeGreaterThan(300)
  expect(contentsOf(p5, index).length).toBeGreaterThan(found.length)
})

test('a scan continues with the parts of a checkpoint', async () => {
  const { p5, index } = await filled(400)
  const system = await openIndex(p5)
  if (system.listing !== 'pages') throw new Error()
  const { entries, rest } = await system.pages.page('', { idle: 3, signal: system.signal })
  const first = [...entries].map(({ parentPath, name }) => parentPath + name)
  const resumed = entriesOf(await scan(await openIndex(p5), rest)).map(({ path }) => path)
  expect([...first, ...resumed].sort()).toEqual(
    contentsOf(p5, index)
      .map(({ path }) => path)
      .sort(),
  )
})

test('a delta reads all of the index and says so', async () => {
  const { p5, index } = await filled(300)
  const full = await openIndex(p5)
  await scan(full)
  expect(full.note?.()).toBeUndefined()
  changeIndexAtRandom(index, newRandom(3), 200)
  const baseline = await full.baseline?.()
  const delta = await openIndex(p5, baseline === undefined ? {} : { baseline })
  expectSame(entriesOf(await scan(delta)), contentsOf(p5, index))
  expect(delta.note?.()).toBe('Archiware P5 lists no changes; all of the index was read')
})
