import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowKinds } from '#events/scans/entryRow.ts'
import { pathOf } from '#agent/testing/decodeRows.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { type ArchiwareOptions, type ArchiwareSimulator, changeIndexAtRandom, fillIndex } from '../simulator/index.ts'
import { simulator } from '../simulator/testing.ts'
import {
  callsTo,
  type ComparedRow,
  contentsOf,
  defaultIndex,
  entriesOf,
  openIndex,
  scan,
  type Scanned,
  expectSame,
} from '../testing.ts'

/** An index whose dumps P5 writes into a folder that the agent sees. */
async function dumpedIndex(behavior: ArchiwareOptions['behavior'] = {}, count = 3_000) {
  const clock = { start: Date.UTC(2026, 10, 21, 10), speed: 1_000 }
  const p5 = await simulator({ behavior: { dumpMs: 0, dumpAnswer: 'at once', ...behavior }, clock })
  const folder = testFolder('dumps')
  p5.addClient('studio', { folders: { '/dumps': folder } })
  const index = defaultIndex(p5)
  fillIndex(index, count)
  const times = { lookMs: 5, settledMs: 30, unansweredMs: 100, missingMs: 150 }
  const p5Dumps = { client: 'studio', clientFolder: '/dumps', folder, times, minEntries: 1 }
  return { p5, index, folder, state: testFolder('state'), p5Dumps }
}
type Dumped = Awaited<ReturnType<typeof dumpedIndex>>

/** Scans and returns what the next scan needs, and the calls of this one. */
async function scanned({ p5, state, p5Dumps }: Dumped, baseline?: string, changes = {}) {
  p5.requests.length = 0
  const system = await openIndex(p5, { state, p5Dumps, baseline, ...changes })
  const sent = await scan(system)
  const lists = callsTo(p5).filter((call) => call.includes('/inventory/'))
  return { sent, lists, baseline: await system.baseline?.(), note: system.note?.() }
}

/** Entries of a storage after a scan or a delta. */
function entriesAfter(before: ComparedRow[], sent: Scanned): ComparedRow[] {
  if (!sent.rows.some(({ kind }) => Number(kind) === rowKinds.delta)) return entriesOf(sent)
  const byPath = new Map(before.map((row) => [row.path, row]))
  for (const row of sent.rows)
    if (Number(row.kind) === rowKinds.gone)
      for (const path of byPath.keys()) if (`${path}/`.startsWith(`${pathOf(row)}/`)) byPath.delete(path)
  for (const row of entriesOf(sent)) byPath.set(row.path, row)
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const foldersIn = (p5: ArchiwareSimulator, dumped: Dumped) =>
  contentsOf(p5, dumped.index).filter(({ isDirectory }) => isDirectory).length

const dumps: Record<string, ArchiwareOptions['behavior']> = {
  'is answered before it is written': { dumpMs: 20_000 },
  'is answered once it is written': { dumpMs: 20_000, dumpAnswer: 'when written' },
  'has the names of the file system': { dumpsCaretNames: false },
}

test.each(Object.entries(dumps))('a delta whose dump %s equals a full scan', async (_, behavior) => {
  const dumped = await dumpedIndex(behavior)
  const random = newRandom(5)
  const first = await scanned(dumped)
  let { baseline } = first
  let known = entriesOf(first.sent)
  for (let round = 0; round < cases(4, 60); round++) {
    changeIndexAtRandom(dumped.index, random, random.below(30))
    const delta = await scanned(dumped, baseline)
    expect(delta.note).toBeUndefined()
    known = entriesAfter(known, delta.sent)
    expectSame(known, contentsOf(dumped.p5, dumped.index))
    expect(delta.lists.length).toBeLessThan(foldersIn(dumped.p5, dumped))
    expect(readdirSync(dumped.folder)).toEqual([])
    baseline = delta.baseline
  }
})

test('a delta of an index lists the folders with changes only, and no folder without changes', async () => {
  const dumped = await dumpedIndex()
  const { baseline } = await scanned(dumped)
  const unchanged = await scanned(dumped, baseline)
  expect(unchanged.lists).toEqual([])
  expect(callsTo(dumped.p5)).toContain('PUT archive/indexes/Default-Archive')
  dumped.index.add('mnt/Projects/show 0000/reel 0000/shot 0001/new.mov', { size: 5 })
  dumped.index.remove('mnt/Projects/odd names/a:b')
  const changed = await scanned(dumped, unchanged.baseline)
  expect(changed.lists.toSorted()).toEqual([
    'GET archive/indexes/Default-Archive/inventory/mnt/Projects/odd%20names',
    'GET archive/indexes/Default-Archive/inventory/mnt/Projects/show%200000/reel%200000',
    'GET archive/indexes/Default-Archive/inventory/mnt/Projects/show%200000/reel%200000/shot%200001',
  ])
  const gone = changed.sent.rows.filter(({ kind }) => Number(kind) === rowKinds.gone)
  expect(gone.map(pathOf)).toEqual(['/mnt/Projects/odd names/a:b'])
})

test('a delta of a folder of an index leaves out ignored folders', async () => {
  const dumped = await dumpedIndex()
  const order = { path: '/mnt/Projects', ignoredPaths: ['/odd names'] }
  const { baseline, sent } = await scanned(dumped, undefined, order)
  dumped.index.add('mnt/Projects/odd names/a:b/new.mov', { size: 5 })
  dumped.index.add('mnt/Projects/show 0000/new.mov', { size: 5 })
  dumped.index.add('mnt/elsewhere.mov', { size: 5 })
  const delta = await scanned(dumped, baseline, order)
  const found = new Set(entriesAfter(entriesOf(sent), delta.sent).map(({ path }) => path))
  const base = 'GET archive/indexes/Default-Archive/inventory/mnt/Projects'
  // The top is listed once more by the check at the end.
  expect(delta.lists.toSorted()).toEqual([base, base, `${base}/show%200000`])
  expect(found.has('/show 0000/new.mov')).toBe(true)
  expect([...found].filter((path) => path.startsWith('/odd names/'))).toEqual([])
})

/** Damages of the file that P5 writes, whose lines keep their order. */
const damages: Record<string, (path: string) => void> = {
  'half of it': (path) => truncateSync(path, 90_000),
  'its first line': (path) => truncateSync(path, 40),
  'lines of other columns': (path) => writeFileSync(path, '/mnt/a\t5\n/mnt/b\n\n/\t\t\t\t\n'),
  'paths that lead elsewhere': (path) => writeFileSync(path, '/../../etc/passwd\t1\t1\t1\t1\n//.\t1\t1\t1\t1\n'),
  'bytes that are no text': (path) => writeFileSync(path, Buffer.alloc(50_000, 0xff)),
  'a line that never ends': (path) => writeFileSync(path, Buffer.alloc(10_000_000, 0x2f)),
  'more files than there are': (path) => appendFileSync(path, '/mnt/surplus/x\t1\t1\t1\t10101\n'),
}

test.each(Object.entries(damages))('with %s in its dump a delta still equals a full scan', async (_, damage) => {
  const dumped = await dumpedIndex()
  const { baseline, sent } = await scanned(dumped)
  changeIndexAtRandom(dumped.index, newRandom(9), 20)
  const wait = { ...dumped.p5Dumps, times: { lookMs: 5, settledMs: 120, unansweredMs: 120, missingMs: 200 } }
  const path = join(dumped.folder, 'dataintell--0.tsv')
  const watching = setInterval(() => {
    if (readdirSync(dumped.folder).length === 0) return
    clearInterval(watching)
    damage(path)
  }, 2)
  const delta = await scanned({ ...dumped, p5Dumps: wait }, baseline)
  clearInterval(watching)
  expectSame(entriesAfter(entriesOf(sent), delta.sent), contentsOf(dumped.p5, dumped.index))
  const next = await scanned(dumped, delta.baseline)
  expect(next.baseline).not.toBe(baseline)
  expectSame(entriesAfter(contentsOf(dumped.p5, dumped.index), next.sent), contentsOf(dumped.p5, dumped.index))
})

type Trouble = [name: string, make: (dumped: Dumped) => void, note: RegExp]
const troubles: Trouble[] = [
  [
    'a client that is offline',
    ({ p5 }) => (p5.clients.get('studio')!.isOnline = false),
    /refuses the dump .*does not resp/,
  ],
  ['a client that P5 does not know', ({ p5 }) => void p5.clients.delete('studio'), /refuses the dump .*Unknown client/],
  ['a client that writes elsewhere', ({ p5 }) => (p5.clients.get('studio')!.folders = undefined), /refuses the dump/],
  [
    'a folder that the agent does not see',
    ({ p5Dumps }) => (p5Dumps.folder = join(p5Dumps.folder, 'missing')),
    /wrote no dump to .*missing/,
  ],
  [
    'a pipe in place of the file',
    (dumped) => whenRequested(dumped, (path) => execFileSync('mkfifo', [path])),
    /wrote no dump to/,
  ],
  [
    'a link in place of the file',
    (dumped) => whenRequested(dumped, (path) => symlinkSync('/etc/passwd', path)),
    /can't read .*ELOOP/,
  ],
  ['a lost list', ({ state }) => truncateSync(listIn(state), 0), /list of the last scan is incomplete/],
  ['a cut list', ({ state }) => truncateSync(listIn(state), 30_000), /list of the last scan is incomplete/],
]

/** Puts something in place of the file, while P5 writes elsewhere. */
function whenRequested({ p5, folder }: Dumped, put: (path: string) => void): void {
  p5.clients.get('studio')!.folders = { '/dumps': testFolder('other') }
  p5.faults.latencyMs = (call) => {
    if (call.startsWith('PUT')) put(join(folder, 'dataintell--0.tsv'))
    return 0
  }
}

const listIn = (state: string): string => {
  const folder = join(state, 'p5')
  const [name = ''] = readdirSync(folder).filter((name) => !name.endsWith('/'))
  return join(folder, name)
}

test.each(troubles)('with %s all of the index is listed, and the note says why', async (_, make, note) => {
  const dumped = await dumpedIndex()
  const { baseline } = await scanned(dumped)
  changeIndexAtRandom(dumped.index, newRandom(2), 20)
  make(dumped)
  const delta = await scanned(dumped, baseline)
  expect(delta.note).toMatch(/^All of the index was read: /)
  expect(delta.note).toMatch(note)
  expectSame(entriesOf(delta.sent), contentsOf(dumped.p5, dumped.index))
})

test('an index of fewer than 100,000 entries is listed without a dump', async () => {
  const dumped = await dumpedIndex()
  const { minEntries: _, ...p5Dumps } = dumped.p5Dumps
  const small = { ...dumped, p5Dumps } as Dumped
  const { baseline } = await scanned(small)
  const delta = await scanned(small, baseline)
  expect(callsTo(dumped.p5).filter((call) => call.startsWith('PUT'))).toEqual([])
  expect(delta.note).toBe('Archiware P5 lists no changes; all of the index was read')
  expect(readdirSync(dumped.state)).toEqual([])
})

test('the agent keeps the lists of the last two scans only', async () => {
  const dumped = await dumpedIndex({}, 300)
  mkdirSync(join(dumped.state, 'p5'), { recursive: true })
  writeFileSync(join(dumped.state, 'p5', '10-of another storage'), '')
  let { baseline } = await scanned(dumped)
  for (let round = 0; round < 3; round++) baseline = (await scanned(dumped, baseline)).baseline
  await scanned(dumped)
  const kept = readdirSync(join(dumped.state, 'p5'))
  expect(kept).toHaveLength(2)
  expect(kept).toContain('10-of another storage')
})
