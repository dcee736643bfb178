import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import { startProduct } from '#deploy/local/testing.ts'
import { mustOf, signIn } from '#deploy/local/testing/calls.ts'
import { defaultFolder, demoPassword } from '#deploy/local/demo/demoFolder.ts'
import { type Picture, type Step, pictures, screens } from './screens.ts'

/**
 * `npm run pictures`: takes the pictures of README from the demo. `npm run pictures -- --all FOLDER` captures every screen
 * and dialog instead, at three widths in both color schemes, to judge them; `--only WORD` those whose name has the word.
 * `--address URL` uses a demo that is already running.
 */
const { values } = parseArgs({
  options: { all: { type: 'string' }, only: { type: 'string' }, address: { type: 'string' } },
})
const folder = resolve(import.meta.dirname, '../pictures')
/** Pictures in README stay small enough to load at once. */
const maxBytes = 150_000
const widths = [1440, 390, 1024]

const product = values.address === undefined ? await startDemo() : { address: values.address, stop: async () => {} }
const browser = await startChromium()
try {
  const page = await signedIn(browser)
  const wall = await wallToken()
  if (values.all === undefined) for (const picture of pictures(wall)) await take(page, picture)
  else await captureAll(page, values.all, wall)
} finally {
  await browser.close()
  await product.stop()
}

/** Starts the demo on a free port, and waits until it is ready. */
function startDemo() {
  const onPrinted = (text: string) => void process.stdout.write(text)
  return startProduct(defaultFolder, { folder: '--demo', password: demoPassword, onPrinted })
}

async function signedIn(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  await page.goto(product.address)
  await fillSignIn(page)
  return page
}

async function fillSignIn(page: Page): Promise<void> {
  await page.locator('aria/Name[role="textbox"]').fill('admin')
  await page.locator('aria/Password[role="textbox"]').fill(demoPassword)
  await page.locator('aria/Sign in[role="button"]').click()
  await page.waitForSelector('h1 ::-p-text(Dashboard)')
}

async function wallToken(): Promise<string> {
  const must = mustOf(signIn(product.address, { name: 'admin', password: demoPassword }))
  const wall = { name: `Pictures ${Date.now()}`, frameAncestors: '' }
  return (await must<{ token: string }>('POST', '/v1/wall/tokens', wall)).token
}

async function take(page: Page, { name, path, scheme = 'light' }: Picture): Promise<void> {
  await show(page, path, scheme)
  const file = join(folder, `${name}.webp`)
  mkdirSync(folder, { recursive: true })
  let quality = 90
  do await page.screenshot({ path: file as `${string}.webp`, type: 'webp', quality })
  while (statSync(file).size > maxBytes && (quality -= 10) > 0)
  console.log(`${file}: ${statSync(file).size} bytes`)
}

async function captureAll(page: Page, into: string, wall: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  const chosen = screens(wall).filter(({ name }) => name.includes(values.only ?? ''))
  for (const width of widths)
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewport({ width, height: 900 })
      await signInAgain(page)
      for (const { name, path, steps = [] } of chosen) {
        await show(page, path, scheme)
        for (const step of steps) await follow(page, step, name)
        const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        if (isTooWide) console.log(`${name} scrolls sideways at ${width} pixels`)
        await page.screenshot({ path: join(into, `${name}-${width}-${scheme}.png`) as `${string}.png` })
      }
    }
}

/** A wall signs the browser out. */
async function signInAgain(page: Page): Promise<void> {
  await page.goto(product.address)
  if ((await page.waitForSelector('main h1, form h1')) && (await page.$('input[type="password"]')))
    await fillSignIn(page)
}

/** Presses an element or a key, and waits until the result no longer moves. A control that a width hides is left out. */
async function follow(page: Page, step: Step, name: string): Promise<void> {
  const [, role, label] = typeof step === 'string' ? (/^(button|tab|link):(.*)$/.exec(step) ?? []) : []
  const selector = label === undefined ? step : `aria/${label}[role="${role}"]`
  if (typeof selector === 'string')
    await page
      .locator(selector)
      .setTimeout(5_000)
      .click()
      .catch(() => console.log(`${name}: ${selector} is not there`))
  else await page.keyboard.press(selector.key)
  await settle(page)
}

/** Opens a screen, and waits until it has loaded and no longer moves. */
async function show(page: Page, path: string, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.goto(`${product.address}${path}`)
  await page.mouse.move(700, 2)
  await settle(page)
  const isLoaded = () =>
    document.querySelector('main h1, form h1, [class*="wall"] h1') !== null &&
    document.querySelector('[class*="skeleton"]') === null
  await page.waitForFunction(isLoaded, { timeout: 30_000 }).catch(() => console.log(`${path} is still loading`))
  await settle(page)
}

async function settle(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: 300, timeout: 1_500 }).catch(() => {})
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
}
