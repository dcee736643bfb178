import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'puppeteer'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeTree } from '#deploy/bench/tree.ts'
import { startChromium } from '#deploy/local/chromium.ts'
import { slowed } from '#deploy/local/testing/slowed.ts'
import { type Product, agentOf, startProduct, testPassword } from '#deploy/local/testing.ts'
import { testFolder } from '#server/platform/testing.ts'
import { countText } from './ui/text/count.ts'
import { exactSize } from './ui/text/size.ts'

const scratch = testFolder('browser')
/** Where the pictures go; those who want to look at them name a folder that stays. */
const pictures = process.env['SCREENSHOTS'] ?? join(scratch, 'pictures')
const films = join(scratch, 'films')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let product: Product
let browser: Browser
let page: Page
let made: { files: number; folders: number }
const complaints: string[] = []

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true })
  made = makeTree(films, 40_000)
  ;[product, browser] = await Promise.all([startProduct(join(scratch, 'data')), startChromium()])
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // A browser names each refused call by itself; being asked to sign in is one.
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const press = (name: string) => page.locator(`aria/${name}[role="button"]`).click()
const write = (field: string, text: string) => page.locator(`aria/${field}[role="textbox"]`).fill(text)
const see = (text: string | RegExp) => expect.poll(() => page.evaluate(() => document.body.innerText)).toMatch(text)
const address = () => new URL(page.url()).pathname + new URL(page.url()).search

test('whoever is not signed in is asked to, and comes back to where they wanted to go', async () => {
  await page.goto(`${product.address}/settings/data`)
  await see('Sign in to DataIntell')
  expect(await look('sign-in')).toEqual([])
  await write('Name', 'admin')
  await write('Password', 'wrong')
  await press('Sign in')
  await see(/wrong/)
  await write('Password', testPassword)
  await press('Sign in')
  await see('There is no data indexed. You need to do a scan here')
  await see('No file storage is set up yet.')
  expect(address()).toBe('/settings/data')
  expect(await look('settings-empty')).toEqual([])
})

test('a file storage that is set up elsewhere appears', async () => {
  await product.call('POST', '/volumeSettings', { name: 'Films', path: films })
  await see('Volume multithread')
  expect(await look('settings')).toEqual([])
})

test('a running scan changes its numbers, and its sizes appear when it is done, without a reload', async () => {
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  const agent = slowed(agentOf(product.pid))
  onTestFinished(agent.goOn)
  await press('Scan Films')
  await press('Scan')
  await see('Scanner for the job(s) is now running.')
  await expect.poll(() => page.$('[role="dialog"]')).toBeNull()
  await page.locator('aria/Dashboard[role="link"]').click()
  const seen = await differentValues('Entries', 3)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  await agent.freeze()
  expect(await look('scan-running')).toEqual([])
  await agent.goOn()

  await see('Done')
  await expect.poll(() => figure('Files')).toMatchObject({ text: countText(made.files) })
  // The storage's own folder is not one of its folders.
  const all = `${exactSize(sizeOf(films))}, ${countText(made.folders - 1)} folders`
  expect(await figure('Files')).toMatchObject({ title: all })
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('There is no data indexed')
})

test('the dashboard is readable in both schemes at every width', async () => {
  expect(await look('dashboard')).toEqual([])
})

test('a screen that is not there yet says so, and an unknown address leads to the dashboard', async () => {
  await page.goto(`${product.address}/projects`)
  await see('Projects is not available in this version.')
  expect(await look('not-available')).toEqual([])
  await page.goto(`${product.address}/nowhere/at/all`)
  await see('File Storage Sizes')
  expect(address()).toBe('/')
})

test('signing out ends the session', async () => {
  await press('admin: account and display')
  await page.locator('aria/Sign out[role="menuitem"]').click()
  await see('Sign in to DataIntell')
  await page.goto(product.address)
  await see('Sign in to DataIntell')
  expect(address()).toBe('/login?redirectTo=%2F')
})

test('nothing of it made the browser complain', () => expect(complaints).toEqual([]))

/** Takes pictures of what is on screen in both schemes, wide and narrow; tells what keeps people from reading it. */
async function look(name: string): Promise<string[]> {
  const faults: string[] = []
  // Away from the navigation, which would open under the pointer.
  await page.mouse.move(700, 2)
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 900 })
      await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))))
      await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`) })
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      const found = [...(isTooWide ? ['scrolls sideways'] : []), ...(await barriers())]
      faults.push(...found.map((fault) => `${name}, ${width} wide, ${scheme}: ${fault}`))
    }
  }
  await page.setViewport({ width: 1440, height: 900 })
  return faults
}

/** What axe finds wrong with what is on screen. */
async function barriers(): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (what: Document) => Promise<AxeResults> } }
    const { violations } = await axe.run(document)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

/** What stands under a word of a list of figures, and what its hover says. */
const figure = (label: string) =>
  page.evaluate((label) => {
    const terms = [...document.querySelectorAll('main dt')]
    const term = terms.find((term) => term.textContent === label)
    const value = term?.nextElementSibling
    return { text: value?.textContent ?? '', title: term?.querySelector('a')?.title ?? '' }
  }, label)

/** Waits until a figure has shown this many different values, and gives them in their order. */
async function differentValues(label: string, count: number): Promise<number[]> {
  const values = new Set<number>()
  const look = async () => {
    const { text } = await figure(label)
    if (text) values.add(Number(text.replaceAll(',', '')))
    return values.size
  }
  await expect.poll(look, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  return [...values]
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, name }) => total + lstatSync(join(parentPath, name)).size, 0)
