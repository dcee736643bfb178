import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'puppeteer'
import { beforeAll, expect } from 'vitest'
import { type Product, startProduct, testPassword } from '#deploy/local/testing.ts'
import { sharedProduct } from '#deploy/local/testing/sharedProduct.ts'
import { copyMigratedEngine, testDatabaseUrl, testFolder } from '#server/platform/testing/stores.ts'
import { testBrowser } from './testing/browser.ts'
import { press } from './testing/press.ts'
import { write } from './testing/write.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** The whole product, and a browser signed in as `admin`. Both end with the test file. */
export type Visit = {
  product: Product
  page: Page
  /** Folder of the test file. */
  scratch: string
  downloads: string
  /** Errors in the browser's console. */
  complaints: string[]
}

const widths = [1440, 1024, 390]
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Environment of the product, and the reason for using an own instance. */
type Visiting = { environment?: NodeJS.ProcessEnv; own?: string }

/**
 * Starts the product on a migrated database and engine, and opens a page, before the first test of the file. By default, files of a
 * worker share one process of the product. `own` starts another one, for tests that kill or restart it.
 */
export async function testVisit({ environment = {}, own }: Visiting = {}): Promise<Visit> {
  const visit = { complaints: [] as string[] } as Visit
  const ofFile = { ...environment, DATABASE_URL: await testDatabaseUrl() }
  visit.scratch = testFolder('visit')
  visit.downloads = testFolder('downloads')
  const data = join(visit.scratch, 'data')
  const start = async () => {
    await copyMigratedEngine(join(data, 'clickhouse'))
    return own === undefined ? sharedProduct(data, ofFile) : startProduct(data, { environment: ofFile })
  }
  beforeAll(async () => {
    const [product, browser] = await Promise.all([start(), testBrowser(visit.downloads)])
    visit.product = product
    visit.page = await browser.newPage()
    await visit.page.setViewport({ width: 1440, height: 900 })
    visit.page.on('pageerror', (error) => visit.complaints.push(String(error)))
    visit.page.on('console', (message) => {
      // The browser logs each rejected request anyway.
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) visit.complaints.push(message.text())
    })
  })
  atEndOfFile(() => visit.product?.stop())
  return visit
}

/** Text of the last card with a title; undefined without one. */
export const cardText = ({ page }: Visit, title: string): Promise<string | undefined> =>
  page.evaluate(
    (title) =>
      [...document.querySelectorAll('main section')]
        .findLast((card) => card.querySelector('h2')?.textContent === title)
        ?.textContent?.replaceAll('\u00a0', ' '),
    title,
  )

/** User actions on a page, by accessible name. */
export function hands({ page }: Visit) {
  const selectorOf = (name: string, role: string) => `aria/${name}[role="${role}"]`
  const named = (name: string, role: string) => page.locator(selectorOf(name, role))
  const text = () => page.evaluate(() => document.body.innerText)
  /** Adds the text of the page to an error, shortened, since the runner cuts long messages. */
  const orTellPage = async (error: unknown) => {
    throw new Error(`${String(error)} · The page: ${(await text()).replaceAll(/\s+/g, ' ').slice(0, 1_000)}`)
  }
  return {
    press: (name: string, role = 'button') => press(page, selectorOf(name, role)),
    /** Presses an element without a name, by selector. */
    pressAt: (selector: string) => press(page, selector),
    /** Presses an element by keyboard. */
    enter: async (name: string, role = 'button') => {
      await (await named(name, role).waitHandle()).evaluate((node) => (node as HTMLElement).focus())
      await page.keyboard.press('Enter')
    },
    write: (field: string, text: string) => write(page, selectorOf(field, 'textbox'), text),
    writeAt: (selector: string, text: string) => write(page, selector, text),
    choose: async (field: string, label: string) => {
      const select = await named(field, 'combobox').waitHandle()
      const valueOf = () =>
        select.evaluate(
          (node, label) =>
            [...(node as HTMLSelectElement).options].find((option) => option.text.startsWith(label))?.value,
          label,
        )
      // Options may still be loading.
      await expect.poll(valueOf, { message: `${field} offers ${label}` }).toBeDefined()
      await (select as unknown as { select: (value: string) => Promise<string[]> }).select((await valueOf()) ?? '')
    },
    see: (what: string | RegExp) => expect.poll(text).toMatch(what).catch(orTellPage),
    seeNo: (what: string | RegExp) => expect.poll(text).not.toMatch(what).catch(orTellPage),
    isDisabled: async (name: string, role = 'button') => {
      const found = await named(name, role).setWaitForEnabled(false).waitHandle()
      return found.evaluate((node) => (node as HTMLButtonElement).disabled)
    },
    type: (keys: string) => page.keyboard.type(keys),
    key: (key: Parameters<typeof page.keyboard.press>[0]) => page.keyboard.press(key),
    closed: () => expect.poll(() => page.$('[role="dialog"]')).toBeNull(),
  }
}

/** Signs in as `admin` and opens a URL of the product. */
export async function signInAt(visit: Visit, path: string): Promise<void> {
  await visit.page.goto(`${visit.product.address}${path}`)
  const { write, press } = hands(visit)
  await write('Name', 'admin')
  await write('Password', testPassword)
  await press('Sign in')
  await expect.poll(() => new URL(visit.page.url()).pathname).toBe(path)
}

/**
 * With `LOOK=all`, screens are checked at every width in both color schemes; otherwise at the widest in the light
 * scheme.
 */
export const shouldLookAtAll = (): boolean => process.env['LOOK'] === 'all' || process.env['SCREENSHOTS'] !== undefined

/**
 * Returns problems that axe finds on the current screen, and horizontal scrolling. Checks 1440 pixels in the light
 * scheme; with `LOOK=all`, every width in both schemes. `SCREENSHOTS=<folder>` also saves screenshots.
 */
export async function look(visit: Visit, name: string): Promise<string[]> {
  const { page } = visit
  const [widest = 1440] = widths
  const faults: string[] = []
  // Away from the navigation, which would open on hover.
  await page.mouse.move(700, 2)
  for (const scheme of shouldLookAtAll() ? ['light', 'dark'] : ['light']) {
    await showScheme(page, scheme)
    for (const width of shouldLookAtAll() ? widths : [widest]) {
      await showWidth(page, width)
      await settled(page)
      await keepPicture(page, `${name}-${width}-${scheme}`)
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      const found = [...(isTooWide ? ['scrolls sideways'] : []), ...(await barriers(page))]
      faults.push(...found.map((fault) => `${name}, ${width} wide, ${scheme}: ${fault}`))
    }
  }
  await showWidth(page, widest)
  await settled(page)
  return faults
}

/** The client applies the scheme itself; other pages, such as the API reference, leave it to the browser. */
async function showScheme(page: Page, scheme: string): Promise<void> {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.waitForFunction(
    (scheme) => [undefined, scheme].includes(document.documentElement.dataset['mantineColorScheme']),
    {},
    scheme,
  )
}

async function showWidth(page: Page, width: number): Promise<void> {
  const { width: before, height } = page.viewport() ?? {}
  if (before !== width || height !== 900) await page.setViewport({ width, height: 900 })
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Waits until the page has been laid out at its new size and animations have ended. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The first frame applies the page size to the layout, the second renders the result.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
}

/** Violations that axe finds on the current screen. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`)
  return page.evaluate(async () => {
    const { axe } = globalThis as typeof globalThis & {
      axe: { run: (what: Document, how: object) => Promise<AxeResults> }
    }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}
