import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, signInAt, testVisit } from './testing.ts'
import { scan } from './testing/scan.ts'

/** Limit of the scripts of a screen, without those that every page has, in bytes as compressed by gzip. */
const maxBytes = 40_700
/** Limit of the sum of layout shifts. */
const maxShift = 0.05

const visit = await testVisit()
const built = join(import.meta.dirname, 'dist')
const ofEveryPage = (readFileSync(join(built, 'index.html'), 'utf8').match(/assets\/[^"]+\.js/g) ?? []) as string[]

beforeAll(async () => {
  const films = join(visit.scratch, 'films')
  mkdirSync(join(films, 'spring'), { recursive: true })
  for (const [index, name] of ['a.mov', 'b.mov', 'spring/c.wav', 'spring/d.txt'].entries())
    writeFileSync(join(films, name), 'x'.repeat(1_024 * (index + 1)))
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
})

test('the scripts of every page are a fixed part of a first visit', async () => {
  await signInAt(visit, '/profile')
  const bytes = ofEveryPage.reduce((sum, name) => sum + compressedBytes(name), 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(181_500)
})

test.each([
  ['/search', 'b.mov'],
  ['/search?search=mov&startingPath=/nowhere', 'No files found'],
  ['/filemanagement', 'Films'],
  ['/filemanagement?volumeId=1&path=/', 'spring'],
])('a first visit of %s loads 40.7 kB more than the page at most, and nothing moves', async (address, content) => {
  // A new page, on which the pointer has never moved.
  const page = await visit.page.browserContext().newPage()
  await page.setViewport({ width: 1440, height: 900 })
  await page.setCacheEnabled(false)
  await page.evaluateOnNewDocument(watchShifts)
  await page.goto(visit.product.address + address)
  await hands({ ...visit, page }).see(content)
  const scripts = (await page.evaluate(scriptsOnceQuiet)).filter((name) => !ofEveryPage.includes(name))
  const shift = await page.evaluate(() => (globalThis as { shift?: number }).shift)
  await page.close()
  const sizes = scripts.map((name) => ({ name, bytes: compressedBytes(name) }))
  expect(sizes.length).toBeGreaterThan(2)
  expect(sizes).toSatisfy(fits)
  expect(shift).toBeLessThan(maxShift)
})

const fits = (sizes: { bytes: number }[]) => sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= maxBytes

/** Small files have no compressed copy. */
function compressedBytes(name: string): number {
  const file = join(built, name)
  return readFileSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).length
}

function watchShifts() {
  const page = Object.assign(globalThis, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) page.shift += (entry as PerformanceEntry & { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Names of the scripts of the page, after none has loaded for a second. */
const scriptsOnceQuiet = () =>
  new Promise<string[]>((resolve) => {
    const scripts = new Set<string>()
    let timer = 0
    new PerformanceObserver((list) => {
      for (const { name } of list.getEntries())
        if (/\/assets\/.*\.js$/.test(name)) scripts.add(new URL(name).pathname.slice(1))
      clearTimeout(timer)
      timer = window.setTimeout(() => resolve([...scripts]), 1000)
    }).observe({ type: 'resource', buffered: true })
  })
