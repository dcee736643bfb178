import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import { type Product, testPassword } from '#deploy/local/testing.ts'
import { atEnd, scratchFolder } from '../../kit/ends.ts'
import { openProduct, runJob } from '../../kit/product.ts'

/** Number of files in one folder; and of subfolders in another folder, and in each of these. */
type Size = { files: number; folders: number }

/** The whole product over a scanned storage, and a browser. */
export type Site = Size & { product: Product; browser: Browser }

/** Starts the product and the browser. */
export async function openSite(size: Size): Promise<Site> {
  const scratch = scratchFolder()
  const films = join(scratch, 'films')
  makeFilms(films, size)
  const { product, must } = await openProduct(join(scratch, 'data'))
  const volume = await product.addStorage({ name: 'Films', path: films })
  await runJob(must, '/v1/scans/volumes/ids', [volume])
  const browser = await startChromium()
  atEnd(() => browser.close())
  return { ...size, product, browser }
}

function makeFilms(root: string, { files, folders }: Size): void {
  const crowded = join(root, 'crowd')
  mkdirSync(crowded, { recursive: true })
  for (let file = 0; file < files; file++) closeSync(openSync(join(crowded, `take_${file}.mov`), 'w'))
  for (let shot = 0; shot < folders; shot++)
    for (let version = 0; version < folders; version++)
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
