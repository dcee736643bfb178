import { expect, test } from 'vitest'
import { newClient } from './client.ts'
import { fillIndex } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { callsTo, connectionTo, contentsOf, defaultIndex, entriesOf, expectSame, openIndex, scan } from './testing.ts'

async function filled(count = 600) {
  const p5 = await simulator()
  const index = defaultIndex(p5)
  fillIndex(index, count)
  return { p5, index }
}
const inventory = 'GET archive/indexes/Default-Archive/inventory/mnt/Projects'

test('a burst of failures costs time, and no entry', async () => {
  const { p5, index } = await filled()
  p5.faults.failNext('', 500, 'Internal error', 6)
  p5.faults.failNext(inventory, 503, '<html><body>Restarting</body></html>', 3)
  p5.faults.failNext('GET general/volumes', 500, 'busy', 2)
  const scanned = await scan(await openIndex(p5))
  expectSame(entriesOf(scanned), contentsOf(p5, index))
  expect(scanned.unreadable).toEqual([])
})

test('volumes that P5 does not describe are shown by their IDs', async () => {
  const { p5, index } = await filled(100)
  p5.faults.failNext('GET general/volumes', 500, 'Database is locked', 10_000)
  const scanned = await scan(await openIndex(p5))
  expect(scanned.unreadable).toEqual([])
  p5.volumes.clear()
  expectSame(entriesOf(scanned), contentsOf(p5, index))
})

test('a P5 server that restarts, or answers with a web page meanwhile, is waited for', async () => {
  const { p5, index } = await filled(2_000)
  let restarts = 0
  p5.faults.latencyMs = () => {
    if (p5.requests.length > 30 && restarts++ === 0) {
      p5.faults.failNext(inventory, 200, '<html><body>Starting</body></html>', 2)
      p5.restart(1_500)
    }
    return 0
  }
  const scanned = await scan(await openIndex(p5))
  expect(restarts).toBeGreaterThan(0)
  expectSame(entriesOf(scanned), contentsOf(p5, index))
  expect(scanned.unreadable).toEqual([])
})

test('a folder that P5 never lists is unreadable, and all others are listed', async () => {
  const { p5, index } = await filled()
  p5.faults.failNext(`${inventory}/odd%20names`, 500, 'Database is locked', 1_000)
  const scanned = await scan(await openIndex(p5))
  expect(scanned.unreadable).toEqual([
    { path: '/mnt/Projects/odd names', error: 'Archiware P5 at 127.0.0.1 failed: Database is locked' },
  ])
  const isBelow = ({ path }: { path: string }) => path.startsWith('/mnt/Projects/odd names/')
  expectSame(
    entriesOf(scanned),
    contentsOf(p5, index).filter((row) => !isBelow(row)),
  )
  expect(callsTo(p5).filter((call) => call.includes('odd%20names'))).toHaveLength(5)
})

test('a folder that is late or too large is unreadable', async () => {
  const { p5 } = await filled()
  p5.faults.latencyMs = (call) => (call.includes('odd%20names') ? 2_000 : 0)
  const slow = await scan(await openIndex(p5, { transport: { idleMs: 100 } }))
  expect(slow.unreadable).toEqual([{ path: '/mnt/Projects/odd names', error: 'The host 127.0.0.1 does not answer' }])
  p5.faults.latencyMs = 0
  const large = await scan(await openIndex(p5, { transport: { maxBytes: 20_000 } }))
  expect(large.unreadable.length).toBeGreaterThan(0)
  expect(large.unreadable[0]?.error).toBe('127.0.0.1 sends more than fits into one answer')
})

test('a folder that is gone since its parent was listed is empty; one that is named all the same is unreadable', async () => {
  const { p5, index } = await filled()
  p5.faults.failNext(`${inventory}/odd%20names/a%5E2fb`, 404, {}, 1_000)
  p5.faults.latencyMs = (call) => {
    if (call.endsWith('/odd%20names'))
      queueMicrotask(() => index.remove('mnt/Projects/odd names/caret^2f/caret^2f.mov'))
    if (call.endsWith('/caret%5E5e2f')) index.remove('mnt/Projects/odd names/caret^2f')
    return 0
  }
  const scanned = await scan(await openIndex(p5))
  expect(scanned.unreadable).toEqual([
    { path: '/mnt/Projects/odd names/a:b', error: 'Archiware P5 names this folder, but does not list it' },
  ])
  const below = entriesOf(scanned).filter(({ path }) => path.startsWith('/mnt/Projects/odd names/caret^2f'))
  expect(below).toMatchObject([{ isDirectory: true }])
})

test('a scan that is aborted ends at once, and sends nothing more', async () => {
  const { p5 } = await filled()
  p5.faults.latencyMs = (call) => (call.endsWith('/Projects') ? 60_000 : 0)
  const controller = new AbortController()
  const scanning = openIndex(p5, { signal: controller.signal }).then(scan)
  await expect.poll(() => callsTo(p5).some((call) => call.endsWith('/Projects'))).toBe(true)
  const requests = p5.requests.length
  controller.abort(new Error('cancelled'))
  await expect(scanning).rejects.toThrow('cancelled')
  expect(p5.requests.length).toBe(requests)
})

test('parameters are headers, and a call that may have worked is not repeated', async () => {
  const { p5, index } = await filled(50)
  index.add('mnt/日本.mov')
  p5.addClient('studio')
  const client = newClient(connectionTo(p5))
  const signal = new AbortController().signal
  const read = (body: unknown) => body
  const parameters = { client: 'studio', time: 'now' }
  p5.faults.loseAnswer('POST archive/plans')
  const body = { paths: [{ path: '/mnt/a', meta: [] }], description: 'DataIntell job 1' }
  const submitted = client.call('POST', 'archive/plans/10001/archiveselections', { parameters, body, read, signal })
  await expect(submitted).rejects.toThrow('ended the connection')
  expect(callsTo(p5).filter((call) => call.startsWith('POST'))).toHaveLength(1)
  p5.behavior.headerEncoding = 'percent'
  const entry = { parameters: { client: 'studio', path: '/mnt/日本.mov' }, read, signal }
  expect(JSON.stringify(await client.call('GET', 'archive/entries', entry))).toMatch('Default-Archive#')
  client.close()
})
