import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession } from 'puppeteer'
import { type Site, signedInPage } from './site.ts'

/** Cost of the dashboard in a new browser: transferred bytes, and milliseconds until the figures are shown. */
export async function firstLoad(site: Site): Promise<{ scripts: number; styles: number; shown: number }> {
  const page = await signedInPage(site)
  const client = await page.createCDPSession()
  await client.send('Network.enable')
  // Clears the cache instead of disabling it, because preloaded files would be loaded twice.
  await client.send('Network.clearBrowserCache')
  const bytes = bytesOf(client)
  const started = performance.now()
  await page.goto(site.product.address)
  await page.waitForSelector('main figure, main [role="meter"]')
  const shown = performance.now() - started
  // Requests after the first figures belong to the first visit, too.
  await pause(2_000)
  await page.close()
  return { ...bytes, shown }
}

/** Returns a counter that grows while the page loads. */
function bytesOf(client: CDPSession) {
  const bytes = { scripts: 0, styles: 0 }
  const kinds = new Map<string, 'scripts' | 'styles'>()
  client.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') kinds.set(requestId, 'scripts')
    if (type === 'Stylesheet') kinds.set(requestId, 'styles')
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind) bytes[kind] += encodedDataLength
  })
  return bytes
}
