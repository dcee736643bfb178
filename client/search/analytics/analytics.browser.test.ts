import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const query = () => decodeURIComponent(new URL(visit.page.url()).search)
const kib = 1024

/** Writes a file with this modification and access date. */
function write(name: string, bytes: number, day: string, content = 'x') {
  const file = join(visit.scratch, 'films', name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content.repeat(bytes))
  utimesSync(file, new Date(`${day}T12:00:00Z`), new Date(`${day}T12:00:00Z`))
}

beforeAll(async () => {
  person = hands(visit)
  write('take.mov', 2_048 * kib, '2019-06-05')
  for (const day of [11, 12, 13, 14]) write(`notes-${day}.txt`, 100 * kib, `2024-03-${day}`)
  write('README', 300 * kib, '2024-03-20')
  for (const place of ['one', 'two']) write(`${place}/copy.wav`, 512 * kib, '2017-02-03', 'c')
  await visit.product.addStorage({ name: 'Films', path: join(visit.scratch, 'films') })
  await scan(visit, 1)
})

/** Selector for elements of a card, by XPath. */
const inCard = (title: string, path: string) => `::-p-xpath(//section[.//h2[. = '${title}']]//${path})`
const ofClass = (name: string) => `*[contains(@class, '${name}')]`
/** Summary of a chart. */
const summary = async (title: string) =>
  (await visit.page.$(inCard(title, 'figcaption')))?.evaluate(({ textContent }) => textContent)

test('charts show what the scan counted, and a bar narrows the search by mouse and by keyboard', async () => {
  await signInAt(visit, '/search')
  await person.press('Analytics', 'tab')
  await expect.poll(() => summary('Last Modified Date')).toContain('8 files, 3.68 MiB. Most in 2019: 2.00 MiB.')
  await expect.poll(() => summary('Extension')).toContain('8 files, 3.68 MiB. The largest is mov with 2.00 MiB, 54.')
  await person.see(/512 KiB reclaimable[^]*Contents are compared only/)
  await expect.poll(() => visit.page.$$eval('.recharts-pie-sector', ({ length }) => length)).toBe(7)
  expect(await look(visit, 'analytics')).toEqual([])
  const bars = `//section[.//h2[. = 'Last Modified Date']]//${ofClass('recharts-bar-rectangle')}//*[name() = 'path']`
  await person.pressAt(`::-p-xpath((${bars})[3])`)
  await expect.poll(query).toContain('lastModifiedAfter=2024-01-01&lastModifiedBefore=2025-01-01')
  await expect.poll(() => summary('Last Modified Date')).toContain('from December 2023 to December 2024: 5 files')
  await expect.poll(() => summary('Extension')).toContain('Extension: 5 files')
  const surface = inCard('Last Modified Date', ofClass('recharts-surface'))
  await visit.page.$eval(surface, (surface) => (surface as SVGElement).focus())
  const hint = () =>
    visit.page.$eval(
      inCard('Last Modified Date', ofClass('recharts-tooltip-wrapper')),
      ({ textContent }) => textContent ?? '',
    )
  // While the pointer rests in the middle, keyboard selection has priority.
  await visit.page.hover(surface)
  await expect.poll(hint).toContain('2024')
  let last = await hint()
  for (let presses = 0; presses < 12 && !last.includes('March 2024'); presses++) {
    await person.key('ArrowRight')
    await expect.poll(hint).not.toBe(last)
    last = await hint()
  }
  expect(last).toContain('March 2024')
  await person.key('Enter')
  await expect.poll(query).toContain('lastModifiedAfter=2024-03-01&lastModifiedBefore=2024-04-01')
  await expect.poll(() => summary('Last Modified Date')).toMatch(/from Week of .*: 5 files/)
})

test('the report and the document of one chart are made, shown and downloaded', async () => {
  const pages = async (name: string) => {
    const find = () => readdirSync(visit.downloads).find((file) => file.startsWith(name) && file.endsWith('.pdf'))
    await person.press('Download', 'link')
    await expect.poll(find).toBeDefined()
    const text = readFileSync(join(visit.downloads, find() ?? ''), 'latin1')
    expect(text.startsWith('%PDF-')).toBe(true)
    return text.match(/\/Type \/Page\b/g)?.length
  }
  await person.press('Search report')
  await person.see('Loading document...')
  await expect.poll(() => visit.page.$('object'), { timeout: 60_000 }).not.toBeNull()
  expect(await pages('SearchReport')).toBe(7)
  expect(await look(visit, 'analytics-report')).toEqual([])
  await person.press('Close')
  await person.closed()
  await person.press('PDF of Extension')
  expect(await pages('Extension')).toBe(1)
  await person.press('Close')
  await person.closed()
})

test('copies found by the search are next to each other when the list is grouped by set', async () => {
  await person.press('Clear filters')
  await person.pressAt(inCard('Duplicates', `button[@title = 'Duplicates']`))
  await expect.poll(query).toContain('onlyDuplicates=true')
  await person.press('Files', 'tab')
  await person.press('Group duplicates')
  const folders = () =>
    visit.page.$$eval('main tr[data-index] td [title^="/"]', (cells) =>
      cells.map((cell) => cell.getAttribute('title') ?? ''),
    )
  await expect.poll(folders).toEqual(['one', 'two'].map((place) => join(visit.scratch, 'films', place)))
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
