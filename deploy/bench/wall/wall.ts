import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'puppeteer'
import { startChromium } from '../../setup/chromium.ts'
import { type Product, startProduct } from '../../local/testing.ts'

/**
 * `npm run bench -- wall [--minutes 60]`: the whole product and a wall that came with a token, with ten seconds a board. Storages
 * are scanned and an agent is renamed without a pause; prints each minute what was pushed and what of the page's heap is still
 * needed. Ends with 1 when the last quarter of the time needs a megabyte more than the second one did.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: { minutes: { type: 'string', default: '60' } },
})
const minutes = Number(given.minutes)
const mayGrow = 1_000_000

const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as a user of its own, which has to get to its folder.
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
  console.log(`from the second to the last quarter the heap grew by ${(grown / 1e6).toFixed(2)} MB`)
  return grown < mayGrow
}

/** Something happens all the time, as on a site where much is going on. */
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

/** Bytes of the heap that are left when all that nobody needs was removed. */
async function neededHeap(client: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}
