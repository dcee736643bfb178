import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { sixtyStorages } from '#client/testing/sixtyStorages.ts'

const db = await testDb()
const visit = await testVisit()
const films = join(testFolder('films'), 'films')
const KiB = 1024
const day = 86_400_000
let person: ReturnType<typeof hands>
beforeAll(() => {
  person = hands(visit)
  // What was read last before 100, 200 and 300 days, and the same file twice.
  for (const [name, size, age] of [
    ['new.mov', 100, 0],
    ['spring/old.mov', 20, 100],
    ['winter/older.mov', 3, 200],
    ['autumn/oldest.mov', 4, 300],
    ['copies/a/same.mov', 50, 0],
    ['copies/b/same.mov', 50, 0],
  ] as const)
    write(name, size, age)
})
const look = (name: string) => lookAt(visit, name)
const see = (what: string | RegExp) => person.see(what)
const address = () => decodeURIComponent(new URL(visit.page.url()).pathname + new URL(visit.page.url()).search)
const isoDay = (ago: number) => new Date(Date.now() - ago * day).toLocaleDateString('en-CA')

function write(name: string, kibibytes: number, daysAgo: number) {
  const file = join(films, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, Buffer.alloc(kibibytes * KiB))
  utimesSync(file, new Date(Date.now() - daysAgo * day), new Date(2026, 0, 1))
}

/** The figure under a word: its value and what stands below it. */
const figure = (label: string) =>
  visit.page.evaluate((label) => {
    const term = [...document.querySelectorAll('main dt')].find(({ textContent }) => textContent === label)
    return [...(term?.parentElement?.querySelectorAll('dd') ?? [])].map(({ textContent }) => textContent)
  }, label)
const shows = (label: string, value: string, note: string) => expect.poll(() => figure(label)).toEqual([value, note])
/** The text of a card, under its title. */
const card = (title: string) =>
  visit.page.evaluate(
    (title) =>
      [...document.querySelectorAll('main section')].find((card) => card.querySelector('h2')?.textContent === title)
        ?.textContent,
    title,
  )

test('before the first scan the dashboard says so, and titles stay below the banner', async () => {
  await signInAt(visit, '/')
  await see('There is no data indexed. You need to do a scan here')
  await see('No scan has run yet.')
  expect(await look('dashboard-none')).toEqual([])
  // At the narrowest the banner has two lines.
  for (const width of [1440, 390, 320]) {
    await visit.page.setViewport({ width, height: 700 })
    await visit.page.goto(`${visit.product.address}/settings`)
    await see('There is no data indexed')
    await expect.poll(() => visit.page.evaluate(scrollsBelow)).toEqual({ isScrolled: true, isSeen: true })
  }
  await visit.page.setViewport({ width: 1440, height: 900 })
  await visit.page.goto(`${visit.product.address}/search`)
  await see('Nothing was scanned yet.')
  expect(await look('search-none')).toEqual([])
})

/** Scrolls as soon as there is enough to scroll, and tells whether the title is what is seen where it stands. */
function scrollsBelow() {
  scrollTo(0, 400)
  const title = document.querySelector('h1')
  const { left, top, width, height } = title?.getBoundingClientRect() ?? new DOMRect()
  const seen = [top + 1, top + height / 2].map((y) => document.elementFromPoint(left + width / 2, y))
  return { isScrolled: scrollY > 100, isSeen: seen.every((element) => element === title) }
}

test('a scan fills the figures on the open page: files, duplicates, and what was not accessed for months', async () => {
  await visit.page.goto(visit.product.address)
  await see('No scan has run yet.')
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
  await shows('Files', '6', '227 KiB in 6 folders')
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
  await shows('Not accessed for 3 months', '27.0 KiB', '3 files')
  await shows('Not accessed for 6 months', '7.00 KiB', '2 files')
  await shows('Not accessed for 9 months', '4.00 KiB', '1 file')
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(await card('Most Active Storage')).toContain('There is no data for the selected time frame')
})

test('a later scan shows what grew, and how the volume went, without a reload', async () => {
  await sql`UPDATE scans SET indexing_date = indexing_date - 40, capacity_used = 1000000`.execute(db)
  await sql`UPDATE snapshots SET indexing_date = indexing_date - 40`.execute(db)
  write('grown.mov', 1_024, 0)
  await scan(visit, 1)
  await expect.poll(() => card('Most Active Storage')).toMatch(/Films\+1\.00 MiB\+451\.1 %/)
  await expect.poll(() => card('Volumes overview')).toMatch(/Films.*File storage.*\+/)
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  const line = await visit.page.$eval('main svg[role="img"]', (line) => line.getAttribute('aria-label'))
  expect(line).toMatch(new RegExp(`^Films: 977 KiB used on ${isoDay(40)}, .+ on ${isoDay(0)}$`))
  expect(await look('dashboard')).toEqual([])
})

test('every figure and bar leads to what it tells of', async () => {
  const lead = async (name: string, to: string) => {
    await visit.page.goto(visit.product.address)
    await person.press(name, 'link')
    await expect.poll(address).toBe(to)
  }
  await lead('Files', '/search')
  await lead('Duplicates', '/search?onlyDuplicates=true')
  await visit.page.goto(visit.product.address)
  await person.press('Not accessed for 6 months', 'link')
  await expect.poll(address).toMatch(/^\/search\?lastAccessBefore=\d{4}-\d\d-\d\d$/)
  const [, before] = address().split('=')
  const { answer } = await visit.product.call('GET', `/files/search/sizes?lastAccessBefore=${before}`)
  expect(answer).toEqual({ count: 2, size: 7 * KiB })
  await lead('Used', '/filemanagement')
  await visit.page.goto(visit.product.address)
  await person.pressAt('main a[data-way="grown"]')
  await expect.poll(address).toBe('/filemanagement?path=/&volumeId=1')
})

test('a first visit loads little: no chart, no menu, no dialog', async () => {
  await visit.page.goto(visit.product.address)
  await see('Volumes overview')
  const kilobytes = await visit.page.evaluate(scriptsOnceQuiet)
  expect(kilobytes).toBeGreaterThan(100)
  expect(kilobytes).toBeLessThan(165)
})

/** The kilobytes of the page's scripts, packed, once none has come for a second. */
const scriptsOnceQuiet = () =>
  new Promise<number>((resolve) => {
    let [kilobytes, timer] = [0, 0]
    new PerformanceObserver((list) => {
      const scripts = list.getEntries().filter(({ name }) => name.endsWith('.js')) as PerformanceResourceTiming[]
      if (scripts.length === 0) return
      kilobytes += scripts.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0) / 1000
      clearTimeout(timer)
      timer = window.setTimeout(() => resolve(kilobytes), 1000)
    }).observe({ type: 'resource', buffered: true })
  })

test('the days over which storages are compared are kept', async () => {
  await visit.page.goto(visit.product.address)
  await see('Most Active Storage')
  const chosen = () => visit.page.$eval('main select', ({ value }) => value)
  expect(await chosen()).toBe('30')
  await person.choose('Most active storage over', '365 days')
  await visit.page.reload()
  await see('Most Active Storage')
  expect(await chosen()).toBe('365')
  expect(await visit.page.evaluate(() => localStorage.getItem('volumeVariationDuration'))).toBe('365')
})

test('a storage that is not chosen does not count', async () => {
  await expect.poll(chosenKinds).toEqual([true])
  await person.press('File storage select all', 'checkbox')
  await shows('Duplicates', '0 B', '0 files')
  await shows('Files', '0', '\u00a0')
  expect(await chosenKinds()).toEqual([false])
  await person.press('File storage select all', 'checkbox')
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
})

const kinds = '::-p-xpath(//label[contains(., "select all")])'
const chosenKinds = () =>
  visit.page.$$eval(kinds, (labels) =>
    labels.map((one) => ((one as HTMLLabelElement).control as HTMLInputElement).checked),
  )

test('a past date shows what it held, and says that it is read only', async () => {
  await visit.page.goto(`${visit.product.address}/?date=${isoDay(40)}`)
  await shows('Files', '6', '227 KiB in 6 folders')
  await visit.page.locator(`aria/Snapshot ${isoDay(40)}, read only[role="button"]`).wait()
  await shows('Not accessed for 9 months', '0 B', '0 files')
  await person.press('Files', 'link')
  await expect.poll(address).toBe(`/search?date=${isoDay(40)}`)
})

test('buckets and archives stand beside sixty other storages', async () => {
  await sixtyStorages(db, visit)
  await visit.page.goto(visit.product.address)
  await see('Object Storage Sizes')
  const objects = await card('Object Storage Sizes')
  expect(objects).toContain('media-1')
  expect(objects).not.toContain('S3-BUCKET-')
  expect(await card('Archiware P5 Index Sizes')).toContain('Index 1')
  await visit.page.setViewport({ width: 1024, height: 900 })
  const named = await visit.page.waitForSelector('table[aria-label="Volumes overview"] td')
  const room = await named?.evaluate((name) => name.clientWidth)
  expect(room).toBeGreaterThan(140)
  expect(await look('dashboard-much')).toEqual([])
  for (const title of ['Most Active Storage', 'Volumes overview', 'Object Storage Sizes']) await pictureOf(title)
  await person.pressAt('a ::-p-text(media-1)')
  await expect.poll(() => new URL(visit.page.url()).pathname).toBe('/filemanagement')
})

test('storages on one disk have one meter, and no sum counts it twice', async () => {
  const usedCapacity = async () => (await figure('Used'))[0]
  await visit.page.goto(visit.product.address)
  await expect.poll(usedCapacity).toBe('1.82 PiB')
  await sql`UPDATE scans SET file_system = 'north:9' WHERE volume_id IN (56, 57)`.execute(db)
  await visit.product.addStorage({ name: 'Another', path: '/mnt/another' })
  await expect.poll(() => card('File Storage Sizes')).toContain('One disk, 2 storages')
  await expect.poll(usedCapacity).toBe('1.73 PiB')
  const meters = await visit.page.$$eval('[role="meter"]', (meters) => meters.map(({ ariaLabel }) => ariaLabel))
  expect(meters.filter((name) => /number 5[56]:/.test(name ?? ''))).toEqual([])
  expect(meters).toContain('One disk, 2 storages: used')
  expect(await look('dashboard-shared-disk')).toEqual([])
})

async function pictureOf(title: string) {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  const [card] = await visit.page.$$(`xpath/.//section[.//h2[.="${title}"]]`)
  await card?.screenshot({ path: join(folder, `card-${title.replaceAll(' ', '-')}.png`) })
}

/** Calls whose address is of this kind fail, until they are let through or the test is over. */
async function refuse(calls: RegExp) {
  const { page } = visit
  let isDown = true
  await page.setRequestInterception(true)
  const answer = (request: Parameters<Parameters<typeof page.on<'request'>>[1]>[0]) => {
    const failure = { status: 500, contentType: 'application/json', body: '{"message":"The store is away"}' }
    return isDown && calls.test(request.url()) ? request.respond(failure) : request.continue()
  }
  page.on('request', answer)
  onTestFinished(async () => {
    page.off('request', answer)
    await page.setRequestInterception(false)
    visit.complaints.splice(0)
  })
  return () => (isDown = false)
}

test('cards that cannot be read say so in place, and one message tells of them all', async () => {
  const { page } = visit
  const letThrough = await refuse(/\/(sizes|trends|mostActiveVolumes)\b/)
  await page.goto(visit.product.address)
  await expect.poll(() => card('Most Active Storage')).toMatch(/The store is away.*Retry/)
  await expect.poll(() => card('Volumes overview')).toMatch(/The store is away.*Retry/)
  await expect.poll(() => figure('Duplicates')).toEqual(['-', 'RetryThe store is away'])
  await expect.poll(() => page.$$('.mantine-Notification-root')).toHaveLength(1)
  const gap = await page.$eval('main dd button', (retry) => {
    const message = retry.nextElementSibling?.getBoundingClientRect()
    return (message?.left ?? 0) - retry.getBoundingClientRect().right
  })
  expect(gap).toBeGreaterThanOrEqual(8)
  expect(await look('dashboard-failing')).toEqual([])
  letThrough()
  await person.pressAt('main dd button')
  await expect.poll(() => figure('Duplicates')).toEqual(['100 KiB', '2 files, 50.0 KiB reclaimable'])
})

test('a cost that cannot be read can be tried again where it stands', async () => {
  const costs = () =>
    visit.page.$$eval('table[aria-label="Volumes overview"] td:nth-child(7)', (cells) =>
      cells.map(({ innerText }) => innerText),
    )
  const letThrough = await refuse(/\/v1\/volumes\?/)
  await visit.page.goto(visit.product.address)
  await expect.poll(async () => new Set(await costs())).toEqual(new Set(['Retry']))
  expect(await look('dashboard-costs-failing')).toEqual([])
  letThrough()
  await person.pressAt('table[aria-label="Volumes overview"] td:nth-child(7) button')
  await expect.poll(async () => new Set(await costs())).toEqual(new Set(['-']))
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
