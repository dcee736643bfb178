import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchLimits } from '#events/scans/batches.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { objectEntry, type StoredObject } from '../../systems/objectEntry.ts'
import type { PagedSystem } from '../../systems/system.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { decodeRows, isEntry, pathOf, type Row } from '../../testing/decodeRows.ts'
import { madeUpObjects, madeUpStore } from '../../testing/madeUpStore.ts'
import { requestsOf } from '../../testing/requestsOf.ts'
import { orderOf } from '../../testing/walked.ts'
import { batchesOnTheirWay, type Counts } from '../progress.ts'
import { walkPages } from './walkPages.ts'

const objects = madeUpObjects(30_000)
/** These fill a batch more than twice. */
const many = madeUpObjects(batchLimits.rows * 2 + 10_000)
const orderFor = (changes: Partial<ScanOrder> = {}) => orderOf('', { pending: [''], ...changes })

/** Batches on their way, when the last of them had to be cut in two. */
const atOnce = batchesOnTheirWay + 1

type Batch = { batch: number; rows: Row[] }
type Options = { batchMs?: number; signal?: AbortSignal; pages?: string[][] }

/** Lists a store and reads what would have been sent. */
async function listed(order: ScanOrder, store: PagedSystem, options: Options = {}) {
  const { batchMs = 0, signal = new AbortController().signal, pages = [] } = options
  const batches: Batch[] = []
  const progress: Counts[] = []
  let running = 0
  let maxConcurrent = 0
  const result = await walkPages(order, store, {
    signal,
    requests: requestsOf(store, order),
    listener: {
      async batch({ batch, packed }) {
        maxConcurrent = Math.max(maxConcurrent, ++running)
        await new Promise((resolve) => setTimeout(resolve, batchMs))
        batches.push({ batch, rows: decodeRows(packed) })
        running--
      },
      unreadable: () => {},
      progressed: (counts) => void progress.push(counts),
    },
    nextPage: async () => ({ pending: pages.shift() ?? [], morePending: pages.flat().length }),
  })
  return { ...result, sent: batches.sort((a, b) => a.batch - b.batch), progress, maxConcurrent }
}

const isCheckpoint = ({ kind }: Row) => kind === '3'
const pathsIn = (batches: Batch[]) =>
  batches
    .flatMap(({ rows }) => rows)
    .filter((row) => isEntry(row) && row.is_directory === '0')
    .map(pathOf)
    .sort()
const pathsOf = (objects: StoredObject[]) => objects.map(({ key }) => `/${key}`).sort()
const [expected, expectedMany] = [pathsOf(objects), pathsOf(many)]
const same = (found: string[], wanted: string[]) =>
  found.length === wanted.length && found.join('\n\n') === wanted.join('\n\n')

test('all keys are listed once, with the requests and their pace as progress', async () => {
  const store = madeUpStore(objects, { pageSize: 500, pageMs: 1 })
  const { sent, counts, batches, progress } = await listed(orderFor(), store)
  expect(same(pathsIn(sent), expected)).toBe(true)
  expect(sent.map(({ batch }) => batch)).toEqual(Array.from({ length: batches }, (_, i) => i + 1))
  const bytes = objects.reduce((sum, { size }) => sum + size, 0)
  expect(counts).toMatchObject({ entries: objects.length + 1, bytes, unreadable: 0, requests: store.requests() })
  expect(store.maxRunning()).toBeGreaterThan(1)
  const paces = progress.flatMap(({ pace }) => pace ?? [])
  expect(paces).toHaveLength(progress.length)
  expect(Math.max(...paces.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(store.maxRunning())
  expect(paces.at(-1)?.latencyMs).toBeGreaterThan(0)
})

test('each checkpoint leaves exactly what the batches before it do not contain', async () => {
  const { sent } = await listed(orderFor(), madeUpStore(many, { pageSize: 700, pageMs: 1 }))
  const marked = sent.filter(({ rows }) => rows.some(isCheckpoint))
  expect(marked.length).toBeGreaterThan(2)
  const some = isLong ? marked : marked.filter((_, i) => i === 0 || i === marked.length - 1)
  for (const { batch, rows } of some) {
    const checkpoint = rows.find(isCheckpoint)
    const pending: string[] = JSON.parse(checkpoint?.parts ?? '')
    expect(rows.at(-1)).toBe(checkpoint)
    expect(Number(checkpoint?.children)).toBe(pending.length)
    const [first = [], ...pages] = [pending.slice(0, 3), pending.slice(3, 5), pending.slice(5)]
    const order = orderFor({ attempt: 2, pending: first, morePending: pending.length - first.length })
    const rest = await listed(order, madeUpStore(many), { pages: pages.filter((page) => page.length > 0) })
    const before = sent.filter((each) => each.batch <= batch)
    expect(same(pathsIn([...before, ...rest.sent]), expectedMany)).toBe(true)
  }
})

test('a storage that takes long for each page is listed by many requests at once, up to 64', async () => {
  const names = Array.from({ length: 1_500 }, (_, i) => `film ${i}`)
  let running = 0
  let maxRunning = 0
  const store: PagedSystem = {
    async page(part, { signal }) {
      maxRunning = Math.max(maxRunning, ++running)
      await wait(150, undefined, { signal })
      running--
      if (part === '') return { entries: [], rest: names }
      return { entries: [objectEntry({ key: part, size: 1, modified: 1 })], rest: [] }
    },
    requests: () => 0,
  }
  const { sent, counts } = await listed(orderFor(), store)
  expect(pathsIn(sent)).toEqual(names.map((name) => `/${name}`).sort())
  expect(counts.entries).toBe(names.length + 1)
  expect(maxRunning).toBeGreaterThanOrEqual(32)
  expect(maxRunning).toBeLessThanOrEqual(64)
})

test('an order that leaves nothing is at its end at once', async () => {
  const store = madeUpStore(objects)
  expect(await listed(orderFor({ attempt: 2, pending: [] }), store)).toMatchObject({ batches: 0, sent: [] })
  expect(store.requests()).toBe(0)
})

test('a busy store is retried, and one that stays busy ends the scan', async () => {
  const busy = madeUpStore(objects, { busyEvery: 3 })
  expect(same(pathsIn((await listed(orderFor(), busy)).sent), expected)).toBe(true)
  await expect(listed(orderFor(), madeUpStore(objects, { busyEvery: 1 }))).rejects.toThrow('SlowDown')
})

test('an error of the store ends the scan with it', async () => {
  await expect(listed(orderFor(), madeUpStore(objects, { failAt: 20 }))).rejects.toThrow('The bucket vanished')
})

test('pages wait while a few batches are being sent', async () => {
  const keys = Array.from({ length: 60_000 }, () => randomBytes(100).toString('hex')).sort()
  const store = madeUpStore(keys.map((key) => ({ key, size: 1, modified: 1 })))
  const { sent, maxConcurrent } = await listed(orderFor(), store, { batchMs: 100 })
  expect(sent.length).toBeGreaterThan(atOnce)
  expect(maxConcurrent).toBeLessThanOrEqual(atOnce)
})

test('a page of any size is sent as it is read', async () => {
  const store = madeUpStore(many, { pageSize: many.length })
  const { sent, maxConcurrent } = await listed(orderFor(), store, { batchMs: 20 })
  expect(same(pathsIn(sent), expectedMany)).toBe(true)
  expect(sent.length).toBeGreaterThan(2)
  expect(maxConcurrent).toBeLessThanOrEqual(atOnce)
})

test('deleted entries are sent while they are read', async () => {
  const count = batchLimits.rows * (atOnce + 1)
  let isRead = false
  function* gone() {
    for (let i = 0; i < count; i++) yield { path: `/folder ${i % 100}/${randomBytes(20).toString('hex')}` }
    isRead = true
  }
  const page = async () => ({ isDelta: true as const, entries: [], rest: [], gone: gone() })
  const order = orderFor({ compareWith: { scan: 7, baseline: '', isCheck: false } })
  const { sent, maxConcurrent } = await listed(order, { page, requests: () => 1 }, { batchMs: 20 })
  expect(isRead).toBe(true)
  expect(sent.flatMap(({ rows }) => rows).filter(({ kind }) => kind === '7')).toHaveLength(count)
  expect(maxConcurrent).toBeLessThanOrEqual(atOnce)
})

test('a walk that is cancelled ends with the reason, and asks nothing more', async () => {
  const controller = new AbortController()
  const store = madeUpStore(objects, { pageMs: 5 })
  const walking = listed(orderFor(), store, { signal: controller.signal })
  await expect.poll(store.requests).toBeGreaterThan(10)
  controller.abort(new Error('Cancelled'))
  await expect(walking).rejects.toThrow('Cancelled')
  const requests = store.requests()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(store.requests()).toBe(requests)
})

const paceOf = (changes: object) => ({
  pace: { maxLookups: 256, maxEntriesPerSecond: null, quietHours: null, timeZone: 'UTC', ...changes },
})

test('no more requests run at once than the order, the quiet hours and the system allow', async () => {
  const running = async (order: ScanOrder, requestsAtOnce = 64) => {
    const store = madeUpStore(objects, { pageSize: 200, pageMs: 1 })
    expect(same(pathsIn((await listed(order, { ...store, requestsAtOnce })).sent), expected)).toBe(true)
    return store.maxRunning()
  }
  expect(await running(orderFor(paceOf({ maxLookups: 3 })))).toBe(3)
  expect(await running(orderFor(), 2)).toBe(2)
  const allDay = { from: '00:00', to: '00:00', maxLookups: 1 }
  expect(await running(orderFor(paceOf({ quietHours: allDay })))).toBe(1)
})

test('pages wait while more entries were read than are allowed in a second, until the walk is cancelled', async () => {
  const few = objects.slice(0, 3_000)
  const startedMs = performance.now()
  const store = madeUpStore(few, { pageSize: 100 })
  const { sent } = await listed(orderFor(paceOf({ maxEntriesPerSecond: 2_000 })), store)
  // The first pages start together.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(((3_000 - 8 * 100) / 2_000) * 1_000)
  expect(same(pathsIn(sent), pathsOf(few))).toBe(true)
  const controller = new AbortController()
  const slow = madeUpStore(few, { pageSize: 100 })
  const walking = listed(orderFor(paceOf({ maxEntriesPerSecond: 1 })), slow, { signal: controller.signal })
  await expect.poll(slow.requests).toBeGreaterThan(1)
  controller.abort(new Error('Cancelled'))
  await expect(walking).rejects.toThrow('Cancelled')
  expect(slow.requests()).toBeLessThan(10)
})

test('only the prefix that is ordered is listed, without what its rules leave out', async () => {
  const order = orderFor({ scannedPath: '/odd', ignoredPaths: ['/odd/*.tmp'], indexFolderOnlyPaths: ['/odd/deep'] })
  const { sent, counts } = await listed(order, madeUpStore(objects, { prefix: 'odd/' }))
  const below = objects.filter(({ key }) => key.startsWith('odd/') && key !== 'odd/*.tmp')
  const deep = below.filter(({ key }) => key.startsWith('odd/deep/'))
  const recorded = below.filter((object) => !deep.includes(object)).map(({ key }) => `/${key}`)
  expect(pathsIn(sent)).toEqual(recorded.sort())
  expect(counts.bytes).toBe(below.reduce((sum, { size }) => sum + size, 0))
  const marks = sent.flatMap(({ rows }) => rows).filter(({ kind, files }) => kind === '1' && files !== '0')
  expect(marks.map((row) => [pathOf(row), row.size])).toEqual([
    [`/odd/${'deep/'.repeat(150)}`.slice(0, -1), String(deep[0]?.size)],
  ])
})

test('a quarantine is left out at any depth', async () => {
  const few = objects.slice(0, 300)
  const keys = ['.dataintell-quarantine/run/a', 'level0_0/.dataintell-quarantine/run/a', 'z/x.dataintell-quarantine/a']
  const more = keys.map((key) => ({ ...few[0]!, key }))
  const all = [...few, ...more].toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  const { sent } = await listed(orderFor(), madeUpStore(all, { pageSize: 100 }))
  expect(pathsIn(sent).filter((path) => path.includes('quarantine'))).toEqual(['/z/x.dataintell-quarantine/a'])
})
