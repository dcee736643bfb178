import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { answerAt } from '#client/testing/answerAt.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
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
  // Files last accessed 100, 200 and 300 days ago, and a duplicate.
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
const see = (what: string | RegExp) => person.see(what)

function write(name: string, kibibytes: number, daysAgo: number) {
  const file = join(films, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, Buffer.alloc(kibibytes * KiB))
  utimesSync(file, new Date(Date.now() - daysAgo * day), new Date(2026, 0, 2))
}

/** Value and note of the figure with a label. */
const figure = (label: string) =>
  visit.page.evaluate((label) => {
    const term = [...document.querySelectorAll('main dt')].find(({ textContent }) => textContent === label)
    return [...(term?.parentElement?.querySelectorAll('dd') ?? [])].slice(0, 2).map(({ textContent }) => textContent)
  }, label)
const shows = (label: string, value: string, note: string) => expect.poll(() => figure(label)).toEqual([value, note])
/** Text of a card without its title. */
const card = (title: string) =>
  visit.page.evaluate(
    (title) =>
      [...document.querySelectorAll('main section')].find((card) => card.querySelector('h2')?.textContent === title)
        ?.textContent,
    title,
  )

test('before the first scan titles stay below the banner', async () => {
  await signInAt(visit, '/')
  await see('There is no data indexed. You need to do a scan here')
  // At the narrowest width the banner wraps to two lines.
  for (const width of [1440, 320]) {
    await visit.page.setViewport({ width, height: 700 })
    await visit.page.goto(`${visit.product.address}/settings`)
    await see('There is no data indexed')
    await expect.poll(() => visit.page.evaluate(scrollsBelow)).toEqual({ isScrolled: true, isSeen: true })
  }
  await visit.page.setViewport({ width: 1440, height: 900 })
})

/** Scrolls as soon as the page is long enough, and returns true if the title is not covered. */
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
})

test('a later scan shows what grew, and how the volume went, without a reload', async () => {
  await sql`UPDATE scans SET indexing_date = indexing_date - 40, capacity_used = 1000000`.execute(db)
  await sql`UPDATE snapshots SET indexing_date = indexing_date - 40`.execute(db)
  write('spring/grown.mov', 1_024, 0)
  await scan(visit, 1)
  await expect.poll(() => card('Most Active Storage')).toMatch(/Films\+1\.00 MiB\+451\.1 %/)
  await expect.poll(() => card('Storages')).toMatch(/Films/)
  await expect.poll(() => card('Top growing folders')).toMatch(/Films \/spring\+1\.00 MiB/)
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await person.press('Not accessed for 6 months', 'link')
  await expect.poll(() => visit.page.url()).toMatch(/\/search\?lastAccessBefore=\d{4}-\d\d-\d\d$/)
  await see(/2 files,\s+7\.00 KiB/)
})

test('a first visit loads little: no chart, no menu, no dialog', async () => {
  await visit.page.goto(visit.product.address)
  await see('All storages')
  const kilobytes = await visit.page.evaluate(scriptsOnceQuiet)
  expect(kilobytes).toBeGreaterThan(100)
  expect(kilobytes).toBeLessThan(182)
})

/** Compressed size of the page's scripts in kilobytes, after none has loaded for a second. */
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

test('sixty storages fit, and a card that cannot be read says so in place', async () => {
  await sixtyStorages(db, visit)
  await answerAt(visit, /\/files\/search\/sizes/, { status: 500, body: '{"message":"The store is away"}' })
  await visit.page.goto(visit.product.address)
  await see(/All \d\d storages/)
  await see('The store is away')
  const gap = await visit.page.$eval('main dd button', (retry) => {
    const message = retry.nextElementSibling?.getBoundingClientRect()
    return (message?.left ?? 0) - retry.getBoundingClientRect().right
  })
  expect(gap).toBeGreaterThanOrEqual(8)
  expect(await look(visit, 'dashboard')).toEqual([])
  await person.press('Storages', 'link')
  await visit.page.waitForSelector('table[aria-label="Storages"] tbody tr')
  await person.key('j')
  await person.key('j')
  const isSecond = () => visit.page.evaluate(() => document.activeElement?.getAttribute('data-index'))
  await expect.poll(isSecond).toBe('1')
  expect(await look(visit, 'storages-many')).toEqual([])
  await person.press('Add storage')
  await see('What do you want to scan?')
  expect(await look(visit, 'storage-tiles')).toEqual([])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
