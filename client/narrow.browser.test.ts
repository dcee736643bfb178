import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, signInAt, testVisit } from './testing.ts'
import { scan } from './testing/scan.ts'

const visit = await testVisit()
const long = 'nightly-export-of-the-whole-catalogue-to-the-archive-in-the-basement'

const screens = [
  '/',
  '/search',
  '/search?onlyDuplicates=true',
  '/filemanagement',
  '/filemanagement?volumeId=1&path=/',
  '/map?volumeId=1&path=/',
  '/folders?volumeId=1&path=/',
  '/comparison?volumeId=1',
  '/volumes/1',
  '/projects',
  '/projects/new',
  '/reports',
  '/alerts',
  '/policies',
  '/policy/new?extension=mov',
  '/profile',
  '/event-log',
  '/help',
  '/settings',
  '/settings/data',
  '/storages',
  '/storages/settings',
  '/settings/mail',
  '/settings/users',
  '/settings/tokens',
  '/settings/walls',
  '/settings/schedules',
  '/settings/jobs',
]

beforeAll(async () => {
  const { call, addStorage } = visit.product
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  writeFileSync(join(films, `${long}.mov`), 'x')
  writeFileSync(join(films, `again-${long}.mov`), 'x')
  await addStorage({ name: `Films ${long}`.slice(0, 60), path: films })
  await scan(visit, 1)
  await call('POST', '/v1/apiTokens', { name: long.slice(0, 50), roles: ['ROLE_ADMIN'], days: 90 })
})

test('signs in on a telephone', async () => {
  await visit.page.setViewport({ width: 390, height: 844 })
  await signInAt(visit, '/profile')
  await expect.poll(() => visit.page.evaluate(() => innerWidth)).toBe(390)
})

test.each(screens)('%s fits a telephone: neither the page nor a table scrolls sideways', async (address) => {
  await visit.page.goto(visit.product.address + address, { waitUntil: 'networkidle2' })
  await hands(visit).see(/\S/)
  await expect.poll(() => visit.page.$('main h1')).not.toBeNull()
  await expect.poll(() => visit.page.$('main [aria-busy="true"], main [data-waiting]')).toBeNull()
  expect(await visit.page.evaluate(tooWide)).toEqual([])
})

test('names in the results of a search have two lines', async () => {
  await visit.page.goto(`${visit.product.address}/search`)
  await visit.page.waitForSelector('td[data-wraps] > bdi')
  const heightOf = (selector: string) => visit.page.$eval(selector, (part) => part.getBoundingClientRect().height)
  expect(await heightOf('td[data-wraps] > bdi')).toBeGreaterThan(30)
  expect(await heightOf('tr:has(> td[data-wraps])')).toBe(44)
})

/** The page and tables that are wider than their room, with the number of pixels. */
function tooWide(): string[] {
  const page = document.documentElement
  const frames = [page, ...[...document.querySelectorAll('main table')].flatMap((table) => table.parentElement ?? [])]
  return frames
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((frame) => {
      const name = frame === page ? 'page' : frame.querySelector('table')?.getAttribute('aria-label')
      return `${name}: ${frame.scrollWidth - frame.clientWidth}`
    })
}
