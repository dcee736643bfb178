import { beforeEach, expect, test } from 'vitest'
import { scanRecordOf } from '#events/testing.ts'
import type { Dashboard } from '#events/dashboard.ts'
import type { LiveEvent, ServerMessage } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import { readDashboard } from '#server/scanning/dashboard/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { closeSession } from '#server/platform/callers/session.ts'
import { testSession } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { publishLive, startLive } from './index.ts'
import { listen, look, progressed, testLive } from './testing.ts'

const platform = await testPlatform()
const { db, nats } = platform
const publish = publishLive(nats)

const live = testLive(platform, 'volumes, scans, snapshots')
let session: string
beforeEach(async () => {
  session = await testSession(db, [])
})

const visitor = (from: Parameters<typeof look>[1] = { session }) => live.open(from)
async function subscriber(...topics: ('dashboard' | 'changed')[]) {
  const browser = visitor()
  await browser.opened()
  for (const topic of topics) {
    browser.say({ type: 'subscribe', topic })
    await browser.until((message) => message.type === 'state' && message.topic === topic)
  }
  return browser
}
const isEvent = (type: LiveEvent['type']) => (message: ServerMessage) =>
  message.type === 'events' && message.events.some((event) => event.type === type)
const framesOf = (heard: ServerMessage[]) => heard.filter((message) => message.type !== 'beat')

test('only a browser that is signed in and shows a page of ours may look on', async () => {
  const withoutOrigin = { session, origin: '' }
  expect(await visitor({}).refused()).toBe(401)
  expect(await visitor({ session: 'made-up' }).refused()).toBe(401)
  expect(await visitor({ session, origin: 'http://elsewhere.example' }).refused()).toBe(401)
  expect(await visitor({ session, origin: `http://${live.host()}.elsewhere.example` }).refused()).toBe(401)
  for (const origin of ['null', `htp://${live.host()}`, 'chrome-extension://dataintell', 'file:///'])
    expect(await visitor({ session, origin }).refused()).toBe(401)
  expect(await visitor(withoutOrigin).refused()).toBe(401)
  await visitor().opened()
})

test('a subscriber gets the state and then, in steps of one, what happens', async () => {
  const browser = await subscriber('dashboard')
  publish({ type: 'scanChanged', scan: scanRecordOf(7, 'running') })
  await browser.until(isEvent('scanChanged'))
  publish(progressed(7, 10))
  await browser.until(isEvent('scanProgressed'))
  const frames = framesOf(browser.heard)
  expect(frames[0]).toEqual({ type: 'state', topic: 'dashboard', position: 0, state: await readDashboard(db) })
  expect(frames.map((frame) => 'position' in frame && frame.position)).toEqual([0, 1, 2])
})

test('late subscribers get the state with all events, and a second subscription restarts', async () => {
  const first = await subscriber('dashboard')
  publish({ type: 'scanChanged', scan: scanRecordOf(8, 'running') })
  publish(progressed(8, 4))
  await first.until(isEvent('scanProgressed'))
  const second = await subscriber('dashboard')
  const known = { scans: [{ scanId: 8, state: 'running', progress: { entries: 4 } }] }
  expect(framesOf(second.heard)[0]).toMatchObject({ type: 'state', position: 2, state: known })
  second.say({ type: 'subscribe', topic: 'dashboard' })
  const again = await second.until((message) => message.type === 'state', second.heard.length)
  expect(again).toMatchObject({ position: 2, state: known })
})

test('simultaneous events are gathered into few frames, with the last progress alone', async () => {
  const browser = await subscriber('dashboard')
  publish({ type: 'scanChanged', scan: scanRecordOf(9, 'running') })
  for (let entries = 1; entries <= 2_000; entries++) {
    publish(progressed(9, entries))
  }
  const isLast = (event: LiveEvent) => event.type === 'scanProgressed' && event.progress.entries === 2_000
  await browser.until((message) => message.type === 'events' && message.events.some(isLast))
  const sent = browser.heard.flatMap((message) => (message.type === 'events' ? message.events : []))
  expect(sent.length).toBeLessThan(200)
  const sizes = browser.heard.map((message) => (message.type === 'events' ? message.events.length : 0))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2)
})

test('a topic reaches only its subscribers, until they unsubscribe', async () => {
  const browser = await subscriber('changed')
  publish({ type: 'scanChanged', scan: scanRecordOf(10, 'running') })
  publish({ type: 'changed', topics: ['volumes'] })
  await browser.until(isEvent('changed'))
  expect(framesOf(browser.heard)).toEqual([
    { type: 'state', topic: 'changed', position: 0, state: null },
    { type: 'events', topic: 'changed', position: 1, events: [{ type: 'changed', topics: ['volumes'] }] },
  ])
  browser.say({ type: 'unsubscribe', topic: 'changed' })
  browser.say({ type: 'subscribe', topic: 'dashboard' })
  await browser.until((message) => message.type === 'state' && message.topic === 'dashboard')
  publish({ type: 'changed', topics: ['jobs'] })
  publish({ type: 'scanChanged', scan: scanRecordOf(11, 'running') })
  await browser.until(isEvent('scanChanged'))
  expect(browser.heard.filter(isEvent('changed'))).toHaveLength(1)
})

test('a changed dashboard is read again', async () => {
  const browser = await subscriber('dashboard')
  const volumeId = await createFileStorage(db, { name: 'Films', path: '/films' })
  const row = { volumeId, state: 'done', indexingDate: '2026-01-01', jobId: 1, taskId: 1, agentId: 1 } as const
  const scan = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('snapshots').values({ indexingDate: '2026-01-01', volumeId, scanId: scan.id }).execute()
  publish({ type: 'changed', topics: ['dashboard'] })
  const frame = await browser.until(isEvent('dashboard'))
  expect(frame).toMatchObject({
    events: [{ dashboard: { indexingDate: '2026-01-01', storages: [{ name: 'Films' }] } }],
  })
})

test('more than a message holds makes all servers read the dashboard again', async () => {
  const browser = await subscriber('dashboard')
  const storages = Array.from({ length: 20_000 }, () => ({ name: 'x'.repeat(100) })) as Dashboard['storages']
  publish({ type: 'dashboard', dashboard: { indexingDate: null, storages, scans: [] } })
  const frame = await browser.until(isEvent('dashboard'))
  expect(frame).toMatchObject({ events: [{ dashboard: await readDashboard(db) }] })
})

test('messages other than events are ignored', async () => {
  const browser = await subscriber('dashboard')
  nats.connection.publish(subjects.live, 'not JSON')
  nats.connection.publish(subjects.live, '{"type":"scanChanged","scan":{"scanId":"x"}}')
  publish({ type: 'scanChanged', scan: scanRecordOf(12, 'running') })
  await browser.until(isEvent('scanChanged'))
  expect(framesOf(browser.heard)).toHaveLength(2)
})

test('a browser that reads too slowly gets no more until it has read all, and then the state of things', async () => {
  const browser = await subscriber('dashboard')
  const witness = await subscriber('dashboard')
  browser.socket.pause()
  const heavy = { ...scanRecordOf(13, 'running'), reason: 'x'.repeat(800_000) }
  for (let files = 1; files <= 30; files++) {
    publish({ type: 'scanChanged', scan: { ...heavy, files } })
    await witness.until(isScan(13, files))
  }
  const before = browser.heard.length
  browser.socket.resume()
  const state = await browser.until((message) => message.type === 'state', before)
  expect(state).toMatchObject({ state: { scans: [{ scanId: 13, files: 30 }] } })
  expect(framesOf(browser.heard).length).toBeLessThan(framesOf(witness.heard).length)
  publish({ type: 'scanChanged', scan: scanRecordOf(13, 'done') })
  await browser.until((message) => message.type === 'events' && isEvent('scanChanged')(message), browser.heard.length)
})
const isScan = (scanId: number, files: number) => (message: ServerMessage) =>
  message.type === 'events' &&
  message.events.some(
    (event) => event.type === 'scanChanged' && event.scan.scanId === scanId && event.scan.files === files,
  )

test('a browser that talks nonsense, too much or too long is sent away', async () => {
  for (const nonsense of ['{', '{"type":"subscribe","topic":"users"}', '[]', '"subscribe"']) {
    const browser = visitor()
    await browser.opened()
    browser.say(nonsense)
    expect(await browser.closed()).toBe(1008)
  }
  const tooLong = visitor()
  await tooLong.opened()
  tooLong.say(JSON.stringify({ type: 'subscribe', topic: 'x'.repeat(10_000) }))
  expect(await tooLong.closed()).toBe(1009)
  const tooMuch = visitor()
  await tooMuch.opened()
  for (let i = 0; i < 200; i++) tooMuch.say({ type: 'subscribe', topic: 'changed' })
  expect(await tooMuch.closed()).toBe(1008)
})

test('a beat names the build, and the socket of a session that ended is closed', async () => {
  const browser = visitor()
  const other = visitor({ session: await testSession(db, []) })
  await browser.until((message) => message.type === 'beat' && message.build.length > 0)
  await closeSession(db, session)
  expect(await browser.closed()).toBe(4401)
  await other.until((message) => message.type === 'beat', 1)
})

test('messages of one replica reach the browsers of another, and a stopped one sends its browsers away', async () => {
  const elsewhere = await listen()
  const other = await startLive(platform, elsewhere.http)
  const browser = look(elsewhere.host, { session })
  await browser.opened()
  browser.say({ type: 'subscribe', topic: 'dashboard' })
  await browser.until((message) => message.type === 'state')
  publish({ type: 'scanChanged', scan: scanRecordOf(14, 'running') })
  await browser.until(isEvent('scanChanged'))
  const closed = browser.closed()
  await other.stop()
  expect(await closed).toBe(1001)
  await elsewhere.close()
})
