import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { startProduct } from '#deploy/local/testing.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan, startScan } from '#client/testing/scan.ts'
import { lookAtWall } from './testing/lookAtWall.ts'

/** Before and after the restart it is another day. */
const [oneDay, nextDay] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']
const visit = await testVisit({ own: 'kills the server, and starts it on another day', environment: { TZ: oneDay } })
let wall: Page
let address: string
let person: ReturnType<typeof hands>
beforeAll(() => {
  person = hands(visit)
})

const longNames = Array.from({ length: 13 }, (_, i) => `Storage with quite a long name, number ${i}`)

const call = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  (await visit.product.call(method, path, body)).answer as T
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

test('an administrator makes the address of a wall, which is shown once', async () => {
  const { press, write, see, closed } = person
  await signInAt(visit, '/settings/general')
  await see('Wall displays')
  await press('Add wall display')
  await press('Make address')
  await see('Name must not be blank')
  await write('Name of the new wall display', 'Lobby')
  await visit.page.keyboard.press('Enter')
  await see('Lobby was added')
  expect(await look(visit, 'wall-address')).toEqual([])
  address = await visit.page.$eval('pre', (pre) => pre.innerText)
  expect(address).toMatch(/\/wall\?token=[\w-]{43}$/)
  await press('Done')
  await closed()
  await see('Not opened yet')
  expect(await look(visit, 'wall-settings')).toEqual([])

  const context = await visit.page.browser().createBrowserContext()
  wall = await context.newPage()
  wall.on('pageerror', (error) => visit.complaints.push(String(error)))
  await wall.setViewport({ width: 1920, height: 1080 })
  await wall.goto(`${address}&boards=capacity,globe,jobs,growth,map,agents&every=300&scheme=dark`)
  await reads('No storage was scanned yet')
  expect(new URL(wall.url()).search).toBe(
    '?boards=capacity%2Cglobe%2Cjobs%2Cgrowth%2Cmap%2Cagents&every=300&scheme=dark',
  )
  await reads('Unknown board left out: globe')
  expect(await lookAtWall(wall, 'empty')).toEqual([])
  await see('Last seen')
  await wall.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
})

test('it shows a scan while it happens', async () => {
  await scan(visit, await addVolume('Films of the north', 20))
  await reads(/Films of the north[^]*%[^]* of /)
  await reads(/Snapshot \d{4}-\d\d-\d\d/)
  await reads(/Live\s+Last event \d\d:\d\d:\d\d/)
  await Promise.all(longNames.map((name) => addVolume(name)))
  await scan(visit, ...longNames.map((_, i) => i + 2))
  // All of them lie on one disk, which stands above them.
  await reads(/One disk, 14 storages\s+\d+\.\d %[^]*and 5 more/)
  expect(await lookAtWall(wall, 'capacity')).toEqual([])
})

test('a job that fails brings its board forward, framed', async () => {
  expect(await title()).toBe('Capacity')
  expect(await isFramed()).toBe('false')
  const missing = { name: 'Gone', path: join(visit.scratch, 'not there') }
  const id = await visit.product.addStorage(missing)
  await startScan(visit, id)
  await expect.poll(title).toBe('Jobs')
  expect(await isFramed()).toBe('true')
  await reads(/Failed[^]*Scan On-Premises/)
  expect(await lookAtWall(wall, 'jobs-framed')).toEqual([])
})

/** Presses the arrow until the board is shown. */
async function turnTo(board: string) {
  await expect
    .poll(async () => {
      if ((await title()) !== board) await wall.keyboard.press('ArrowRight')
      return title()
    })
    .toBe(board)
  await expect.poll(() => wall.$$('[data-leaving="true"]')).toHaveLength(0)
}

test('the keys change the board and hold it, and one board alone is there', async () => {
  await turnTo('Growth')
  await reads('Most active storages')
  expect(await lookAtWall(wall, 'growth')).toEqual([])
  await turnTo('Map')
  await reads(/One disk, 14 storages\s+\d+\.\d %/)
  expect(await lookAtWall(wall, 'map')).toEqual([])
  await turnTo('Agents')
  await reads('No agents beside the built-in one')
  expect(await lookAtWall(wall, 'agents')).toEqual([])
  expect(await wall.$$('main > *')).toHaveLength(1)
  await wall.keyboard.press('ArrowLeft')
  await expect.poll(title).toBe('Map')
  await wall.keyboard.press('Space')
  await reads('4 / 5, held')
  await wall.keyboard.press('Space')
  await expect.poll(text).not.toMatch('held')
})

test('the display is refused everything else, and leads to the sign-in when somebody goes elsewhere', async () => {
  const status = (method: string, path: string) =>
    wall.evaluate(
      async (method, path) => {
        const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
        return (await fetch(path, { method, headers: { 'X-XSRF-TOKEN': token } })).status
      },
      method,
      path,
    )
  expect(await status('GET', '/api/v1/dashboard')).toBe(200)
  for (const path of ['/api/currentUserInfo', '/api/v1/jobs/1', '/api/v1/wall/tokens', '/api/v1/events']) {
    expect([path, await status('GET', path)]).not.toContain(200)
  }
  expect(await status('GET', '/api/currentUserInfo')).toBe(403)
  expect(await status('POST', '/api/v1/scans/volumes/ids')).toBe(403)
  const other = await wall.browserContext().newPage()
  await other.goto(`${visit.product.address}/settings`)
  await expect.poll(() => new URL(other.url()).pathname).toBe('/login')
  await other.close()
})

test('many pushes and turns leave its memory as it was', async () => {
  const client = await wall.createCDPSession()
  let pushes = 0
  await client.send('Network.enable')
  client.on('Network.webSocketFrameReceived', ({ response }) => {
    if (!response.payloadData.includes('"type":"beat"')) pushes += 1
  })
  const round = async () => {
    await scan(visit, 1)
    for (let turn = 0; turn < 15; turn++) {
      // Told to everyone, who then read jobs and agents anew.
      await call('PUT', '/servers/1', { name: `Built-in ${turn}` })
      await wall.keyboard.press('ArrowRight')
    }
  }
  for (let i = 0; i < 2; i++) await round()
  const before = await heapOf(client)
  pushes = 0
  for (let i = 0; i < 3; i++) await round()
  const after = await heapOf(client)
  expect(pushes).toBeGreaterThan(45)
  expect(after - before, `${pushes} pushes, from ${before} bytes`).toBeLessThan(1_000_000)
  await client.detach()
})

/** Bytes that are still needed. */
async function heapOf(client: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}

test('without its server it says how old the data is, and goes on by itself when the server is back', async () => {
  const { port } = new URL(visit.product.address)
  await visit.page.goto('about:blank')
  await visit.product.kill()
  await reads(/Data is stale\s+As of \d\d:\d\d:\d\d/, 40_000)
  await reads(/Films of the north|One disk|Scan On-Premises|Most active|built-in/)
  expect(await lookAtWall(wall, 'stale')).toEqual([])
  visit.product = await startProduct(join(visit.scratch, 'data'), { environment: { PORT: port, TZ: nextDay } })
  const added = await addVolume('After the restart', 3)
  writeFileSync(join(visit.scratch, 'Films of the north', 'new.mov'), 'x'.repeat(100_000))
  for (const name of longNames) writeFileSync(join(visit.scratch, name, 'new.txt'), 'new')
  await scan(visit, ...longNames.map((_, i) => i + 2), 1, added)
  await reads(/Live\s+Last event/, 40_000)
  await turnTo('Capacity')
  await reads('and 6 more')
  await turnTo('Growth')
  await reads(/Films of the north\s+\+97.7 KiB[^]*and 4 more/)
  expect(await lookAtWall(wall, 'growth-of-two-days')).toEqual([])
  expect(await wall.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

test('what the server did not tell yet is not said to be nothing', async () => {
  const other = await wall.browserContext().newPage()
  await other.evaluateOnNewDocument('WebSocket = class extends EventTarget { close() {} send() {} }')
  await other.setRequestInterception(true)
  other.on('request', (request) => void (request.url().includes('/api/') || request.continue()))
  await other.goto(`${visit.product.address}/wall?boards=capacity,jobs,growth,map,agents&every=300`)
  for (const board of ['Capacity', 'Jobs', 'Growth', 'Map', 'Agents']) {
    await other.waitForFunction((board) => document.querySelector('h1')?.innerText === board, {}, board)
    await other.waitForFunction(() => !document.querySelector('[data-leaving="true"]'))
    const words = await other.evaluate(() => document.body.innerText)
    expect(words).toMatch('Not known yet')
    expect(words).not.toMatch(
      /scanned yet|changed in 30|second snapshot|nothing runs|No agents|only the built-in agent|No snapshot/,
    )
    expect(words).not.toMatch(/^0$/m)
    await other.keyboard.press('ArrowRight')
  }
  await other.close()
})

test('a wall that came when too many did opens once it may', async () => {
  const context = await visit.page.browser().createBrowserContext()
  const other = await context.newPage()
  let isRefused = true
  await other.setRequestInterception(true)
  other.on('request', (request) => {
    if (isRefused && request.url().endsWith('/v1/wall/session')) void request.respond({ status: 429, body: '' })
    else void request.continue()
  })
  const words = () => other.evaluate(() => document.body.innerText)
  await other.goto(address.replace(/^[^?]+/, `${visit.product.address}/wall`))
  await expect.poll(words).toMatch('Retrying every few seconds')
  isRefused = false
  await expect.poll(words).toMatch('Fullest storages')
  await context.close()
})

test('an ended token closes the wall within a few beats', async () => {
  await visit.page.goto(`${visit.product.address}/settings/general`)
  await person.press('End Lobby')
  await person.press('End wall display')
  await person.see('Lobby was ended')
  await reads('This wall is closed')
  expect(await lookAtWall(wall, 'closed')).toEqual([])
  expect(await wall.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

test('nothing of it made a browser complain', () => expect(visit.complaints).toEqual([]))
