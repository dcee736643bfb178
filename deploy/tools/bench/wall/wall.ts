import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import { type Product, startProduct } from '#deploy/local/testing.ts'

/**
 * `npm run bench -- wall [--minutes 60]`: the whole product and a wall display with a token, ten seconds per board.
 * Scans storages and renames an agent continuously; prints the pushed events and the page's used heap every minute.
 * Exits with 1 if the last quarter needs a megabyte more than the second one.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: { minutes: { type: 'string', default: '60' } },
})
const minutes = Number(given.minutes)
const mayGrow = 1_000_000

const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(scratch, 0o711)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

const product = await startProduct(join(scratch, 'data'))
const browser = await startChromium()
try {
  const page = await browser.newPage()
  await open(page)
  process.exitCode = (await isFlat(page)) ? 0 : 1
} finally {
  await browser.close()
  await product.stop()
}

async function open(page: Page) {
  const { token } = (await product.call('POST', '/v1/wall/tokens', { name: 'Bench' })).answer as { token: string }
  await page.setViewport({ width: 1920, height: 1080 })
  await page.goto(`${product.address}/wall?every=10&token=${token}`)
  await page.waitForSelector('h1')
}

async function isFlat(page: Page): Promise<boolean> {
  const client = await page.createCDPSession()
  let pushes = 0
  await client.send('Network.enable')
  client.on('Network.webSocketFrameReceived', ({ response }) => {
    if (!response.payloadData.includes('"type":"beat"')) pushes += 1
  })
  const ending = new AbortController()
  const busy = keepBusy(product, ending.signal)
  const heaps: number[] = []
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(60_000)
    const heap = await neededHeap(client)
    heaps.push(heap)
    console.log(`after ${minute} min: ${pushes} pushes, heap ${(heap / 1e6).toFixed(2)} MB`)
  }
  ending.abort()
  await busy
  const quarter = (n: number) =>
    Math.max(...heaps.slice(Math.floor(((n - 1) * minutes) / 4), Math.ceil((n * minutes) / 4)))
  const grown = quarter(4) - quarter(2)
  console.log(`heap growth from the second to the last quarter: ${(grown / 1e6).toFixed(2)} MB`)
  return grown < mayGrow
}

/** Causes continuous changes, as on a busy site. */
async function keepBusy({ call }: Product, ending: AbortSignal) {
  const ids = await Promise.all(Array.from({ length: 5 }, (_, i) => addVolume(`Storage ${i}`)))
  for (let round = 0; !ending.aborted; round++) {
    const id = ids[round % ids.length]
    writeFileSync(join(scratch, `Storage ${round % ids.length}`, `${round % 100}.txt`), 'x'.repeat(round % 1_000))
    await call('POST', '/v1/scans/volumes/ids', [id])
    await call('PUT', '/servers/1', { name: `Built-in ${round}` })
    await pause(500)
  }
}

async function addVolume(name: string): Promise<number> {
  const path = join(scratch, name)
  mkdirSync(path)
  chmodSync(path, 0o755)
  return product.addStorage({ name, path })
}

/** Heap size in bytes after a garbage collection. */
async function neededHeap(client: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}
