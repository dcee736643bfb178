import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import type { Product } from '#deploy/local/testing.ts'
import { atEnd, scratchFolder } from '../../kit/ends.ts'
import { openProduct } from '../../kit/product.ts'
import { defineTool } from '../../kit/tool.ts'

const maxGrowth = 1_000_000

/**
 * `npm run bench -- wall [--minutes 60]`: the whole product and a wall display with a token, ten seconds per board.
 * Scans storages and renames an agent continuously; prints the pushed events and the page's used heap every minute.
 * Exits with 1 if the last quarter needs a megabyte more than the second one.
 */
export const tool = defineTool({
  options: { minutes: 60 },
  async run({ minutes }) {
    const scratch = scratchFolder()
    const { product, must } = await openProduct(join(scratch, 'data'))
    const browser = await startChromium()
    atEnd(() => browser.close())
    const page = await browser.newPage()
    const { token } = await must<{ token: string }>('POST', '/v1/wall/tokens', { name: 'Bench' })
    await page.setViewport({ width: 1920, height: 1080 })
    await page.goto(`${product.address}/wall?every=10&token=${token}`)
    await page.waitForSelector('h1')
    const ending = new AbortController()
    const busy = keepBusy(product, scratch, ending.signal)
    const grown = await heapGrowth(page, minutes)
    ending.abort()
    await busy
    console.log(`heap growth from the second to the last quarter: ${(grown / 1e6).toFixed(2)} MB`)
    return grown < maxGrowth ? 0 : 1
  },
})

/** Prints the used heap every minute. Returns by how much the last quarter needs more than the second one, in bytes. */
async function heapGrowth(page: Page, minutes: number): Promise<number> {
  const client = await page.createCDPSession()
  let pushes = 0
  await client.send('Network.enable')
  client.on('Network.webSocketFrameReceived', ({ response }) => {
    if (!response.payloadData.includes('"type":"beat"')) pushes += 1
  })
  const heaps: number[] = []
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(60_000)
    const heap = await neededHeap(client)
    heaps.push(heap)
    console.log(`after ${minute} min: ${pushes} pushes, heap ${(heap / 1e6).toFixed(2)} MB`)
  }
  const quarter = (n: number) =>
    Math.max(...heaps.slice(Math.floor(((n - 1) * minutes) / 4), Math.ceil((n * minutes) / 4)))
  return quarter(4) - quarter(2)
}

/** Causes continuous changes, as on a busy site. */
async function keepBusy({ call, addStorage }: Product, scratch: string, ending: AbortSignal): Promise<void> {
  const storages: { path: string; id: number }[] = []
  for (const name of ['Storage 0', 'Storage 1', 'Storage 2', 'Storage 3', 'Storage 4']) {
    const path = join(scratch, name)
    mkdirSync(path)
    chmodSync(path, 0o755)
    storages.push({ path, id: await addStorage({ name, path }) })
  }
  for (let round = 0; !ending.aborted; round++) {
    const { path = '', id } = storages[round % storages.length] ?? {}
    writeFileSync(join(path, `${round % 100}.txt`), 'x'.repeat(round % 1_000))
    await call('POST', '/v1/scans/volumes/ids', [id])
    await call('PUT', '/servers/1', { name: `Built-in ${round}` })
    await pause(500)
  }
}

/** Heap size in bytes after a garbage collection. */
async function neededHeap(client: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await client.send('HeapProfiler.collectGarbage')
  return (await client.send('Runtime.getHeapUsage')).usedSize
}
