import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { daysBefore } from '#events/contract/days.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan, startScan } from '#client/testing/scan.ts'
import { sixtyStorages } from '#client/testing/sixtyStorages.ts'
import { lookAtWall } from './testing/lookAtWall.ts'

const db = await testDb()
const visit = await testVisit()
let wall: Page
let person: ReturnType<typeof hands>

const text = () => wall.evaluate(() => document.body.innerText)
const title = () => wall.$eval('h1', (title) => title.innerText)
const isFramed = () => wall.$eval('[data-framed]', (frame) => frame.getAttribute('data-framed'))
const reads = (words: string | RegExp, timeout = 20_000) => expect.poll(text, { timeout }).toMatch(words)

async function addVolume(name: string, files = 1): Promise<number> {
  const path = join(visit.scratch, name)
  mkdirSync(path, { recursive: true })
  for (let i = 0; i < files; i++) writeFileSync(join(path, `${i}.txt`), 'x'.repeat(1_000 * (i + 1)))
  return await visit.product.addStorage({ name, path })
}

/** Presses the arrow key until the board is shown. */
async function turnTo(board: string) {
  await expect
    .poll(async () => {
      if ((await title()) !== board) await wall.keyboard.press('ArrowRight')
      return title()
    })
    .toBe(board)
  await expect.poll(() => wall.$$('[data-leaving="true"]')).toHaveLength(0)
}

/** Scans two storages of one disk a day ago, and opens a display in its own browser. */
beforeAll(async () => {
  person = hands(visit)
  await scan(visit, await addVolume('Films of the north', 20), await addVolume('Sounds'))
  const { answer } = await visit.product.call('GET', '/administration/dates')
  const [{ indexingDate }] = answer as [{ indexingDate: string }]
  await backdate(db, daysBefore(indexingDate, 1))
  const context = await visit.page.browser().createBrowserContext()
  wall = await context.newPage()
  wall.on('pageerror', (error) => visit.complaints.push(String(error)))
  await wall.setViewport({ width: 1920, height: 1080 })
})

test('a display shows all storages at the address that an administrator makes', async () => {
  const { press, write, see } = person
  await signInAt(visit, '/settings/walls')
  await press('Add wall display')
  await write('Name', 'Lobby')
  await see('Preview')
  expect(await look(visit, 'wall-form')).toEqual([])
  await visit.page.focus('[role="dialog"] input')
  await visit.page.keyboard.press('Enter')
  await see('Lobby was added')
  const address = await visit.page.$eval('pre', (pre) => pre.innerText)
  expect(address).toMatch(/\/wall\?token=[\w-]{43}$/)
  await wall.evaluateOnNewDocument(keepSockets)
  await wall.goto(`${address}&every=300&scheme=dark`)
  await reads(/2 storages on one disk\s+\d+\.\d %[^]*Films of the north/)
  expect(new URL(wall.url()).search).toBe('?every=300&scheme=dark')
  expect(await lookAtWall(wall, 'capacity')).toEqual([])
  await wall.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
})

test('a scan that fails brings the jobs forward, and one that ends is part of the growth', async () => {
  writeFileSync(join(visit.scratch, 'Films of the north', 'new.mov'), 'x'.repeat(100_000))
  await startScan(visit, await visit.product.addStorage({ name: 'Gone', path: join(visit.scratch, 'not there') }))
  await expect.poll(title).toBe('Jobs')
  await reads(/Failed[^]*Gone\n[^\n]*does not exist/)
  expect(await isFramed()).toBe('true')
  expect(await lookAtWall(wall, 'jobs-framed')).toEqual([])
  await scan(visit, 1)
  await turnTo('Growth')
  await reads(/Films of the north\s+\+97.7 KiB/)
  expect(await lookAtWall(wall, 'growth-of-two-days')).toEqual([])
})

test('many pushes and turns leave its memory unchanged', async () => {
  const client = await wall.createCDPSession()
  let pushes = 0
  await client.send('Network.enable')
  client.on('Network.webSocketFrameReceived', ({ response }) => {
    if (!response.payloadData.includes('"type":"beat"')) pushes += 1
  })
  const round = async () => {
    for (let turn = 0; turn < 15; turn++) {
      // All pages load jobs and agents again.
      await visit.product.call('PUT', '/servers/1', { name: `Built-in ${turn}` })
      await wall.keyboard.press('ArrowRight')
    }
  }
  for (let i = 0; i < 2; i++) await round()
  const before = await heapOf(client)
  pushes = 0
  for (let i = 0; i < 2; i++) await round()
  const after = await heapOf(client)
  expect(pushes).toBeGreaterThan(25)
  expect(after - before, `${pushes} pushes, from ${before} bytes`).toBeLessThan(1_000_000)
  await client.detach()
})

/** Heap size in bytes after garbage collection. */
async function heapOf(client: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}

test('sixty more storages fit, and the keys lead from board to board', async () => {
  await sixtyStorages(db, visit)
  await turnTo('Capacity')
  await reads(/Shared storage of the department[^]*and \d+ more/)
  expect(await lookAtWall(wall, 'capacity-of-many')).toEqual([])
  await turnTo('Map')
  expect(await lookAtWall(wall, 'map')).toEqual([])
  await wall.keyboard.press('ArrowRight')
  await reads(/Active\s+Built-in/)
  expect(await lookAtWall(wall, 'agents')).toEqual([])
})

test('without a connection the wall says how old the data is, and it continues after that', async () => {
  await wall.setOfflineMode(true)
  await wall.evaluate(() => {
    const { sockets } = globalThis as unknown as { sockets: WebSocket[] }
    for (const socket of sockets) socket.close()
    const now = Date.now
    Object.assign(Date, { now: () => now() + 20_000, realNow: now })
  })
  await reads(/Data is stale\s+As of \d\d:\d\d:\d\d/)
  expect(await lookAtWall(wall, 'stale')).toEqual([])
  await wall.evaluate(() => Object.assign(Date, { now: (Date as unknown as { realNow: () => number }).realNow }))
  await wall.setOfflineMode(false)
  await reads(/Live\s+Updated/)
})

/** Collects the sockets of a page, so that a test can close them. */
function keepSockets(): void {
  const sockets: WebSocket[] = []
  const RealSocket = WebSocket
  class KeptSocket extends RealSocket {
    constructor(address: string) {
      super(address)
      sockets.push(this)
    }
  }
  Object.assign(globalThis, { sockets, WebSocket: KeptSocket })
}

test('an ended token closes the wall within a few beats', async () => {
  await person.press('Done')
  await person.press('Revoke Lobby')
  await person.press('Revoke wall display')
  await person.see('Lobby was revoked')
  await reads('This wall is closed')
  expect(await lookAtWall(wall, 'closed')).toEqual([])
  expect(await wall.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
