import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer'
import { beforeAll, expect, test, vi } from 'vitest'
import { hands, signInAt, testVisit } from './testing.ts'
import { scan } from './testing/scan.ts'

/** Limit of the scripts of a screen, without those that every page has, in bytes as compressed by gzip. */
const maxBytes = 53_000
/** Limit of the sum of layout shifts. */
const maxShift = 0.02
/** Limit of the requests of a screen: its page, scripts, styles, fonts and calls. */
const maxRequests = 40

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
  const paths = [{ path: '/spring', volumeId: 1, volumeName: 'Films' }]
  await visit.product.call('POST', '/projects', { name: 'Alpine', description: '', allocatedSize: 10_000, paths })
  const searchQueryNode = { searchOperator: 'AND', searchQueries: [{ size: { min: 1 } }], searchQueryNodes: [] }
  const report = { name: 'All', type: 'SEARCH_QUERY', parameters: { references: [], comparison: [], searchQueryNode } }
  await visit.product.call('POST', '/v1/reports/templates', report)
  await visit.product.call('POST', '/v1/reports/templates/1/jobs')
  const hasRun = async () => {
    const { answer } = await visit.product.call('GET', '/v1/reports/1/runs')
    expect(answer).toMatchObject({ elements: [{ isKept: true }] })
  }
  await vi.waitFor(hasRun, { timeout: 60_000, interval: 50 })
})

/** Addresses whose scripts are limited, and what these show. */
const limited: Record<string, string> = {
  '/search': 'b.mov',
  '/search?search=mov&startingPath=/nowhere': 'No files found',
  '/filemanagement': 'Films',
  '/filemanagement?volumeId=1&path=/': 'spring',
}
/** An address of each screen, and those of the settings. */
const addresses: Record<string, string[]> = {
  '/search': ['/search', '/search?search=mov&startingPath=/nowhere', '/search?activeTab=2'],
  '/filemanagement': ['/filemanagement', '/filemanagement?volumeId=1&path=/'],
  '/map': ['/map?volumeId=1&path=/'],
  '/folders': ['/folders?volumeId=1&path=/'],
  '/volumes/:id': ['/volumes/1'],
  '/reports': ['/reports?wizard=new'],
  '/policy/new': ['/policy/new?extension=mov'],
  // It needs a policy, and shows parts of the pages above.
  '/policy/:id': [],
  '/alerts': ['/alerts?add=alert'],
  '/project/edit/:id': ['/project/edit/1'],
  '/project/:id': ['/project/1', '/project/1?tab=timeline'],
  '/report/:id': ['/report/1'],
  '/settings/:page': ['users', 'tokens', 'data'].map((page) => `/settings/${page}`),
  '/help/:page?': ['/help/find-duplicates'],
}
const routes = readFileSync(join(import.meta.dirname, 'screens.tsx'), 'utf8').matchAll(/^ {2}\['([^']+)',/gm)
const screens = [...routes].flatMap(([, route = '']) => addresses[route] ?? [route])

test('the scripts of every page are a fixed part of a first visit', async () => {
  await signInAt(visit, '/profile')
  const bytes = ofEveryPage.reduce((sum, name) => sum + compressedBytes(name), 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(186_500)
})

test.each(screens)('a first visit of %s loads little, and nothing moves', async (address) => {
  const { requests, scripts, shift } = await firstVisit(address)
  expect(requests).toBeGreaterThan(5)
  expect(requests).toBeLessThanOrEqual(maxRequests)
  expect(shift).toBeLessThan(maxShift)
  const own = scripts.filter((name) => !ofEveryPage.includes(name))
  const sizes = own.map((name) => ({ name, bytes: compressedBytes(name) }))
  expect(sizes.length).toBeGreaterThan(2)
  expect(sizes).toSatisfy(fitsIn(address in limited ? maxBytes : Infinity))
})

/** A page without a cache, on which the pointer has never moved. One for all visits: starting one takes as long as a visit. */
let page: Page
beforeAll(async () => {
  page = await visit.page.browserContext().newPage()
  await page.setViewport({ width: 1440, height: 900 })
  await page.setCacheEnabled(false)
  await page.evaluateOnNewDocument(watchShifts)
})

async function firstVisit(address: string) {
  await page.goto(visit.product.address + address)
  await page.waitForSelector('main h1')
  const content = limited[address]
  if (content !== undefined) await hands({ ...visit, page }).see(content)
  return page.evaluate(loadedOnceQuiet)
}

const fitsIn = (limit: number) => (sizes: { bytes: number }[]) =>
  sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= limit

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

/** Scripts and requests of the page, after none has started for a second, and its layout shifts. */
const loadedOnceQuiet = () =>
  new Promise<{ scripts: string[]; requests: number; shift: number }>((resolve) => {
    const files = new Set<string>()
    let timer = 0
    const done = () => {
      const scripts = [...files].map((key) => key.split(' ')[1] ?? '').filter((name) => /\/assets\/.*\.js$/.test(name))
      resolve({
        scripts: scripts.map((name) => new URL(name).pathname.slice(1)),
        requests: files.size + 1,
        shift: (globalThis as { shift?: number }).shift ?? 0,
      })
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) files.add(`${entry.startTime} ${entry.name}`)
      clearTimeout(timer)
      timer = window.setTimeout(done, 1000)
    }).observe({ type: 'resource', buffered: true })
  })
