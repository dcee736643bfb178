import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import { type Product, startProduct, testPassword } from '#deploy/local/testing.ts'

/** The whole product over a scanned storage, and a browser. */
export type Site = { product: Product; browser: Browser; stop(): Promise<void> }

/** Number of files in one folder. */
export const crowd = 100_000
/** Number of subfolders in another folder, and in each of these. */
export const branches = 100

/** Starts the product and the browser. The data is deleted when the process ends. */
export async function openSite(): Promise<Site> {
  const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
  // Postgres may run as another user, which must be able to enter its folder.
  chmodSync(scratch, 0o711)
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const films = join(scratch, 'films')
  makeFilms(films)
  const product = await startProduct(join(scratch, 'data'))
  const browser = await startChromium()
  await product.addStorage({ name: 'Films', path: films })
  await product.call('POST', '/v1/scans/volumes/ids', [1])
  while (((await product.call('GET', '/v1/volumes')).answer as { total: number }).total === 0) await pause(200)
  const stop = async () => {
    await browser.close()
    await product.stop()
  }
  return { product, browser, stop }
}

function makeFilms(root: string): void {
  const crowded = join(root, 'crowd')
  mkdirSync(crowded, { recursive: true })
  for (let file = 0; file < crowd; file++) closeSync(openSync(join(crowded, `take_${file}.mov`), 'w'))
  for (let shot = 0; shot < branches; shot++)
    for (let version = 0; version < branches; version++)
      mkdirSync(join(root, 'tree', `shot_${shot}`, `v${version}`), { recursive: true })
  writeFileSync(join(root, 'notes.txt'), 'notes')
}

/** A signed-in page in a separate browser context. */
export async function signedInPage({ product, browser }: Site): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage()
  await page.setViewport({ width: 1440, height: 900 })
  await page.goto(product.address)
  await page.locator('aria/Name[role="textbox"]').fill('admin')
  await page.locator('aria/Password[role="textbox"]').fill(testPassword)
  await page.locator('aria/Sign in[role="button"]').click()
  await page.waitForSelector('h1 ::-p-text(Dashboard)')
  return page
}
