import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { daysBefore } from '#events/contract/days.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const kib = 1024
let page: typeof visit.page
let person: ReturnType<typeof hands>
let volumeId: number
/** The days of the two snapshots. */
let [weekAgo, today] = ['', '']

const look = (name: string) => lookAt(visit, name)
const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown) =>
  (await visit.product.call(method, path, body)).answer as T
const open = (query: Record<string, string> = {}) =>
  page.goto(`${visit.product.address}/folders?${new URLSearchParams({ volumeId: String(volumeId), ...query })}`)
const address = () => new URL(page.url())
const asked = (name: string) => address().searchParams.get(name)

function write(path: string, kibibytes: number) {
  mkdirSync(join(films, path, '..'), { recursive: true })
  writeFileSync(join(films, path), 'x'.repeat(kibibytes * kib))
}

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  for (const [path, size] of Object.entries({
    'grown/a.mov': 10,
    'shrunk/b.mov': 30,
    'gone/c.mov': 20,
    'same/d.mov': 5,
  }))
    write(path, size)
  volumeId = await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, volumeId)
  ;[{ indexingDate: today }] = await call<[{ indexingDate: string }]>('GET', '/administration/dates')
  weekAgo = daysBefore(today, 7)
  await backdate(await testDb(), weekAgo)
  write('grown/later/a2.mov', 50)
  write('shrunk/b.mov', 5)
  write('fresh.mov', 8)
  rmSync(join(films, 'gone'), { recursive: true })
  await scan(visit, volumeId)
})

/** Each row of the tree: its name, and how it changed. */
const rows = () =>
  page.$$eval('table[role="treegrid"] tr[data-index]', (rows) =>
    rows.map((row) => {
      const [name, , change] = [...row.querySelectorAll('td')].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())
      return `${name}: ${change?.replace(/([+−]) /, '$1')}`
    }),
  )
const focused = () => page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)

test('a folder stands beside the date of a week ago, the largest changes first', async () => {
  await signInAt(visit, '/folders')
  await person.see('No folder found')
  await open()
  await expect
    .poll(rows)
    .toEqual([
      'grown: +50.0 KiB',
      'shrunk: −25.0 KiB',
      'gone: Removed −20.0 KiB',
      'same: 0 B',
      'fresh.mov: New +8.00 KiB',
    ])
  expect(
    await page.$eval(
      '[aria-label="Previous date"]',
      (select) => (select as HTMLSelectElement).selectedOptions[0]?.text,
    ),
  ).toBe(`7 days ago, ${weekAgo}`)
  expect(await look('folders')).toEqual([])
})

test('with keys alone one opens branches in place, and goes to another folder', async () => {
  await page.focus('tr[data-index="0"]')
  await person.key('ArrowRight')
  await expect
    .poll(async () => (await rows()).slice(0, 3))
    .toEqual(['grown: +50.0 KiB', 'later: New +50.0 KiB', 'a.mov: 0 B'])
  await person.key('ArrowRight')
  await expect.poll(focused).toBe('later')
  await person.key('ArrowLeft')
  await person.key('Enter')
  await expect.poll(() => asked('path')).toBe('/grown')
  await person.pressAt('nav[aria-label="Breadcrumb"] a ::-p-text(Films)')
  await expect.poll(() => asked('path')).toBe('/')
})

const facts = () =>
  page.$$eval('section dl div[data-changed]', (facts) =>
    Object.fromEntries(
      facts.map((fact) => [
        fact.querySelector('dt')?.innerText,
        [...fact.querySelectorAll('dd')].map(({ innerText }) => innerText.replace(/\s+/g, ' ')).join(),
      ]),
    ),
  )

test('the timeline tells of each snapshot what changed in it', async () => {
  await expect.poll(facts).toMatchObject({ Size: '78.0 KiB was 65.0 KiB', Files: '5 was 4', 'Indexing Date': today })
  await page.focus('input[type="range"]')
  await person.key('ArrowLeft')
  await expect.poll(facts).toMatchObject({ Size: '65.0 KiB', Folders: '4', 'Indexing Date': weekAgo })
  expect(await page.$eval('input[type="range"]', (slider) => slider.getAttribute('aria-valuetext'))).toBe(weekAgo)
  await person.key('End')
  await expect.poll(facts).toMatchObject({ 'Indexing Date': today })
  await person.see(/Sizes\s+2/)
  await person.see(/Smallest size\s+65\.0 KiB/)
  await person.see(/Biggest size\s+78\.0 KiB/)
})

test('what happens to the folder appears while one looks', async () => {
  write('late.mov', 100)
  await scan(visit, volumeId)
  await expect.poll(async () => (await rows()).at(-2)).toBe('late.mov: New +100 KiB')
  await expect.poll(facts).toMatchObject({ Size: '178 KiB was 65.0 KiB' })
})

test('a point of the line leads to a search of the folder on its date, by the mouse and by the keyboard', async () => {
  await open({ path: '/grown' })
  const dot = page.locator('.recharts-line-dot, .recharts-line-dots circle')
  // The drawing knows where a pointer is once it was drawn with it.
  await dot.hover()
  await page.locator('.recharts-tooltip-wrapper ::-p-text(KiB)').wait()
  await dot.click()
  await expect.poll(() => address().pathname).toBe('/search')
  expect([asked('startingPath'), asked('volumeId'), asked('date')]).toEqual(['/grown', String(volumeId), weekAgo])
  await open({ path: '/grown' })
  await person.press('Show Size Variation as table')
  await person.press(today)
  await expect.poll(() => address().pathname).toBe('/search')
  expect([asked('startingPath'), asked('date')]).toEqual(['/grown', null])
})

test('a folder that is gone has its past, and one that never was is not found', async () => {
  await open({ path: '/gone' })
  await expect.poll(facts).toMatchObject({ Size: '20.0 KiB', 'Indexing Date': weekAgo })
  expect(await look('folders-gone')).toEqual([])
  await open({ path: '/nowhere' })
  await person.see('No folder found')
  expect(await look('folders-none')).toEqual([])
})

test('the panel of File Management and the details of a folder lead here, on the date that is looked at', async () => {
  const at = (path: string, query: Record<string, string>) =>
    page.goto(`${visit.product.address}${path}?${new URLSearchParams({ volumeId: String(volumeId), ...query })}`)
  const here = async (path: string, date: string | null) => {
    await expect.poll(() => address().pathname).toBe('/folders')
    expect([asked('volumeId'), asked('path'), asked('date')]).toEqual([String(volumeId), path, date])
  }
  await at('/filemanagement', { path: '/grown', date: weekAgo })
  await person.press('Folder analytics', 'link')
  await here('/grown', weekAgo)
  await at('/search', { activeTab: '1' })
  await person.pressAt('main td ::-p-text(shrunk)')
  await person.see('Folder Details')
  await person.press('Folder analytics', 'link')
  await here('/shrunk', null)
  await person.closed()
  await expect.poll(rows).toEqual(['b.mov: −25.0 KiB'])
})

test('what cannot be read says so, and can be tried again', async () => {
  let isBroken = true
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    if (isBroken && request.url().includes('/v1/directories/details')) void request.respond({ status: 500, body: '' })
    else void request.continue()
  })
  await open()
  await person.see('Unable to get the folder through time')
  await expect.poll(() => page.$$('.toast-danger')).toHaveLength(1)
  expect(await look('folders-failed')).toEqual([])
  isBroken = false
  await person.press('Retry')
  await expect.poll(facts).toMatchObject({ 'Indexing Date': today })
  await page.setRequestInterception(false)
})

test('nothing of it made the browser complain', () =>
  expect(visit.complaints.filter((complaint) => !complaint.includes('status of 500'))).toEqual([]))
