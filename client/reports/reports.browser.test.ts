import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cardText, hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const address = () => decodeURIComponent(visit.page.url().slice(visit.product.address.length))

function write(name: string, kibibytes: number, content: string) {
  const file = join(visit.scratch, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content.repeat(kibibytes * 1_024))
}

const card = (title: string) => cardText(visit, title)
const rows = () =>
  visit.page.$$eval('tbody tr', (rows) => rows.map(({ innerText }) => innerText.replaceAll(/\s+/g, ' ').trim()))
const step = () => visit.page.$eval('[role="dialog"] [aria-current="step"]', ({ textContent }) => textContent)
const next = async (title: RegExp) => {
  await person.press('Next')
  await expect.poll(step).toMatch(title)
}
const source = (name: string) => person.pressAt(`[role="dialog"] ul[aria-label="Storages"] button ::-p-text(${name})`)

/** Two storages; 30 KiB of the films are also in the archive. */
beforeAll(async () => {
  person = hands(visit)
  write('films/raw/same.mov', 30, 'c')
  write('films/raw/new.mov', 10, 'n')
  write('archive/alpine/same.mov', 30, 'c')
  write('archive/alpine/other.mov', 20, 'o')
  await visit.product.addStorage({ name: 'Films', path: join(visit.scratch, 'films') })
  await visit.product.addStorage({ name: 'Archive', path: join(visit.scratch, 'archive') })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1, 2])
})
const scanned = async () => ((await visit.product.call('GET', '/v1/volumes')).answer as { total: number }).total

test('a report of duplicates is made, and launched once it is saved', async () => {
  await expect.poll(scanned, { timeout: 60_000 }).toBe(2)
  await signInAt(visit, '/reports')
  await person.press('New report')
  await person.write('Name', 'Copies')
  await person.choose('Type', 'Copies')
  await next(/Select Reference Data/)
  await source('Films')
  await next(/Select Comparison Data/)
  await person.press('Choose a folder of Archive')
  await person.write('Path', '/alpine')
  await person.key('Enter')
  await person.see('/alpine')
  expect(await look(visit, 'report-wizard')).toEqual([])
  await next(/Add Search Queries/)
  await next(/Add Optional Tags/)
  await next(/Review/)
  await person.press('Add a check')
  await person.press('Save')
  await person.see('Report template [Copies] has been created successfully.')
  await expect
    .poll(rows, { timeout: 60_000 })
    .toEqual([expect.stringMatching(/^Copies Check failed Copies 1 · .* \d{4}-/)])
})

test('a second run is compared with the first, and the files that it found are a search', async () => {
  await person.pressAt('tbody tr ::-p-text(Copies)')
  await expect.poll(address).toMatch(/^\/report\/\d+$/)
  await expect.poll(() => card('Matches')).toMatch(/Files1250\.0 %/)
  await expect.poll(() => card('Top 10 files')).toMatch(/same\.mov/)
  await person.press('Launch Report')
  await person.press('Launch report')
  await person.closed()
  await expect.poll(() => card('Run history'), { timeout: 60_000 }).toMatch(/compared with/)
  await person.press('Still there 1 file 0 folders, 30.0 KiB')
  await expect.poll(() => card('Run history')).toMatch(/same\.mov/)
  const ticks = await visit.page.$$eval('fieldset label', (ticks) => ticks.map((tick) => tick.clientWidth))
  expect(Math.min(...ticks)).toBeGreaterThanOrEqual(24)
  expect(await look(visit, 'report')).toEqual([])
  expect(await visit.page.$$eval('main figure svg text', outsideOfCards)).toEqual([])
  await visit.page.setViewport({ width: 1024, height: 900 })
  const cut = await visit.page.$eval('main h1', (title) => {
    title.textContent = 'Masters of the last two productions that are not yet in the archive'
    return title.scrollWidth - title.clientWidth
  })
  expect(cut).toBe(0)
  await visit.page.setViewport({ width: 1440, height: 900 })
  await person.press('Show content as Search result', 'link')
  await expect.poll(address).toMatch(/^\/search\?report=dataintell\.report\.Copies\.\d{4}-\d{2}-\d{2}$/)
  await person.see(/Reports: Copies, \d{4}-\d{2}-\d{2}/)
  await expect.poll(rows).toEqual([expect.stringMatching(/^same\.mov/)])
})

const outsideOfCards = (labels: Element[]) =>
  labels
    .filter((label) => {
      const [{ left, right }, card] = [label.getBoundingClientRect(), label.closest('section')?.getBoundingClientRect()]
      return !card || left < card.left || right > card.right
    })
    .map(({ textContent }) => textContent)

test('by keyboard a report that is ready is saved', async () => {
  await person.enter('Reports', 'link')
  await person.enter('New report')
  await expect.poll(step).toMatch(/Configure Report Template/)
  await person.choose('Start from', 'Empty folders')
  await expect.poll(step).toMatch(/Review/)
  await visit.page.focus('aria/Save[role="button"]')
  await person.key('Enter')
  await person.see('Report template [Empty folders] has been created successfully.')
  await expect.poll(rows).toHaveLength(2)
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
