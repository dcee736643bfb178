import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { cardText, hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const db = await testDb()
const visit = await testVisit()
let person: ReturnType<typeof hands>
const query = () => decodeURIComponent(new URL(visit.page.url()).search)
const KiB = 1024
const dayLength = 86_400_000
const isoDay = (ago: number) => new Date(Date.now() - ago * dayLength).toLocaleDateString('en-CA')

function write(name: string, kibibytes: number, daysAgo: number, content = '\0') {
  const file = join(visit.scratch, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content.repeat(kibibytes * KiB))
  const then = new Date(Date.now() - daysAgo * dayLength)
  utimesSync(file, then, then)
}

beforeAll(async () => {
  person = hands(visit)
  for (const [name, size, age] of [
    ['films/new.mov', 100, 0],
    ['films/spring/old.mov', 20, 120],
    ['films/winter/older.wav', 3, 220],
    ['films/autumn/README', 4, 400],
    ['other/notes.txt', 1, 0],
  ] as const)
    write(name, size, age)
  for (const folder of ['a', 'b']) write(`films/${folder}/same.mov`, 50, 0, 'c')
  const book = { description: 'Gold', currencySymbol: '$', price: 1_000_000 }
  await visit.product.call('POST', '/v1/storage-prices', book)
  const pathOf = (name: string) => join(visit.scratch, name)
  await visit.product.addStorage({ name: 'Other', path: pathOf('other') })
  // Blocks of small files differ between file systems.
  const films = { name: 'Films', path: pathOf('films'), storagePrice: { id: 1 }, sizeBasis: 'apparent' } as const
  await visit.product.addStorage(films)
  await scan(visit, 1)
})

const card = (title: string) => cardText(visit, title)
/** Summary of a chart. */
const summary = (title: string) =>
  visit.page.$$eval(
    'figcaption',
    (captions, title) => captions.map(({ textContent }) => textContent).find((text) => text?.startsWith(title)),
    title,
  )
const labels = () => visit.page.$$eval('.recharts-line text, .recharts-label-list text', ({ length }) => length)

test('a scan fills the open page with what it counted', async () => {
  await signInAt(visit, '/volumes/2')
  await person.see('There is no data for this indexing date.')
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await visit.product.call('POST', '/v1/scans/volumes/ids', [2])
  await expect
    .poll(() => card('Storage details'), { timeout: 60_000 })
    .toMatch(/Size of files227 KiB.*Number of files6/)
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await person.see(/Films\s+File storage/)
  await person.see(new RegExp(`Path\\s[^]*films\\s+Agent\\s+\\S.*\\s+Snapshot\\s+${isoDay(0)}`))
  expect(await card('Storage cost')).toMatch(/\$18\.04 per month.*Gold, \$1,000,000\.00 per GiB per year/)
  await expect
    .poll(() => card('Insights'))
    .toMatch(/27\.0 KiB in 3 files not accessed for 3 months, 11\.8 % .*\$2\.15 per/)
  await expect.poll(() => card('Insights')).toMatch(/7\.00 KiB in 2 files not accessed for 6 months/)
  await expect.poll(() => card('Insights')).toMatch(/4\.00 KiB in 1 file not accessed for 12 months/)
  await expect
    .poll(() => card('Insights'))
    .toMatch(/100 KiB in 2 files with duplicates, 44\.\d %.*; 50\.0 KiB reclaimable.*Contents are compared only/)
  expect(await summary('Used')).toMatch(new RegExp(`^Used: .* on ${isoDay(0)}\\.$`))
})

/** Snapshots of earlier days with growing usage, as scans would have created them; the newest is 85 % full. */
async function fillHistory() {
  await sql`
    WITH scanned AS (INSERT INTO scans (volume_id, indexing_date, state, job_id, task_id, agent_id, files, folders, bytes,
        capacity_total, capacity_used, capacity_free)
      SELECT 2, current_date - ago, 'done', 9, 1000 + ago, 1, 6, 6, 232448, 1e13, 8.5e12 - ago * 4e10, 1.5e12 + ago * 4e10
      FROM generate_series(1, 60) AS ago RETURNING id, indexing_date)
    INSERT INTO snapshots (indexing_date, volume_id, scan_id) SELECT indexing_date, 2, id FROM scanned`.execute(db)
  await sql`UPDATE scans SET capacity_total = 1e13, capacity_used = 8.5e12, capacity_free = 1.5e12
    WHERE indexing_date = current_date`.execute(db)
}

test('a storage that is nearly full shows its limit, and its days are chosen by mouse and by keyboard', async () => {
  await fillHistory()
  await visit.page.reload()
  await expect.poll(() => summary('Used')).toMatch(new RegExp(`on ${isoDay(29)}, 7\\.73 TiB on ${isoDay(0)}`))
  await expect
    .poll(() => visit.page.$$eval('.recharts-reference-area, .recharts-reference-line', ({ length }) => length))
    .toBe(2)
  expect(await card('Used capacity')).toMatch(/Over capacity.*Max 9\.09 TiB|Max 9\.09 TiB.*Over capacity/)
  expect(await labels()).toBe(10)
  expect(await look(visit, 'volume')).toEqual([])
  await person.pressAt('[aria-label="Time window"] label:has(input[value="custom"])')
  await person.writeAt('input[aria-label="From"]', isoDay(60))
  await person.key('Enter')
  await expect.poll(query).toBe(`?from=${isoDay(60)}&to=${isoDay(0)}`)
  await expect.poll(() => summary('Used')).toContain(`on ${isoDay(60)}`)
  await person.pressAt('[aria-label="Time window"] label:has(input[value="7"])')
  await expect.poll(query).toBe('?window=7')
  await expect.poll(labels).toBe(7)
})

test('the document is made, shown and downloaded', async () => {
  await person.press('PDF')
  await person.see('Loading document...')
  await expect.poll(() => visit.page.$('object'), { timeout: 60_000 }).not.toBeNull()
  await person.press('Download', 'link')
  const name = `Volume-Films-${isoDay(0)}.pdf`
  await expect.poll(() => readdirSync(visit.downloads)).toEqual([name])
  const file = readFileSync(join(visit.downloads, name), 'latin1')
  expect(file.startsWith('%PDF-')).toBe(true)
  expect(file.match(/\/MediaBox \[0 0 595\.28\d* 841\.89\d*\]/)).not.toBeNull()
  await person.press('Close')
  await person.closed()
})

test('a day leads to its snapshot by keyboard, and bars and insights to the files that they count', async () => {
  await person.press('Show Used capacity as table')
  await person.enter(isoDay(3))
  await expect.poll(query).toContain(`date=${isoDay(3)}`)
  await expect.poll(() => card('Storage details')).toMatch(/Percent used83\.8 %/)
  await visit.page.goBack()
  await expect.poll(() => card('Storage details')).toMatch(/Percent used85\.0 %/)
  const found = async () => (await visit.page.$('[aria-label="Found"]'))?.evaluate(({ textContent }) => textContent)
  for (const [title, bar, files] of [
    ['Last Access', '1 year to 1.25 years', /^1 file4\.00 KiB/],
    ['File Size Distribution', '16 KiB to 64 KiB', /^3 files120 KiB/],
    ['Extensions', 'mov', /^4 files220 KiB/],
  ] as const) {
    await person.press(`Show ${title} as table`)
    await person.press(bar)
    await expect.poll(found).toMatch(files)
    await visit.page.goBack()
  }
  await person.press('27.0 KiB in 3 files', 'link')
  await expect.poll(found).toMatch(/^3 files27\.0 KiB/)
  await person.press('See analytics of storage', 'link')
  await person.see('Storage details')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
