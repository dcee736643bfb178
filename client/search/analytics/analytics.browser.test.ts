import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
const query = () => decodeURIComponent(new URL(visit.page.url()).search)
const year = new Date().getFullYear()

/** A file of so many bytes that was read and written on a day. */
function write(folder: string, name: string, bytes: number, day: string, content = 'x') {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content.repeat(bytes))
  utimesSync(join(folder, name), new Date(`${day}T12:00:00Z`), new Date(`${day}T12:00:00Z`))
}
const kib = 1024

beforeAll(async () => {
  person = hands(visit)
  const [films, archive] = [join(visit.scratch, 'films'), join(visit.scratch, 'archive')]
  for (const take of [1, 2, 3]) write(films, `take-${take}.mov`, take * 1024 * kib, '2019-06-05')
  for (const day of [11, 12, 13, 14]) write(films, `notes-${day}.txt`, 100 * kib, `2024-03-${day}`)
  for (const place of ['one', 'two']) write(join(films, place), 'copy.wav', 512 * kib, '2009-02-03', 'c')
  write(archive, 'README', 300 * kib, '2024-03-20')
  for (let kind = 10; kind < 24; kind += 1) write(archive, `odd.k${kind}`, kind * kib, `${year}-01-02`)
  for (const [name, path] of Object.entries({ Films: films, Archive: archive }))
    await visit.product.addStorage({ name, path })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1, 2])
})
const scanned = async () => ((await visit.product.call('GET', '/v1/volumes')).answer as { total: number }).total

/** The rows of a card that is shown as a table, by their names. */
const rows = (title: string) =>
  visit.page.evaluate((title) => {
    const card = [...document.querySelectorAll('section')].find(
      (section) => section.querySelector('h2')?.textContent === title,
    )
    return [...(card?.querySelectorAll('tbody tr') ?? [])].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    )
  }, title)
const row = async (title: string, name: string) => (await rows(title)).find(([first]) => first === name)?.slice(1)
const asTable = (title: string) => person.press(`Show ${title} as table`)
const summary = (title: string) =>
  visit.page.evaluate(
    (title) =>
      [...document.querySelectorAll('figcaption')]
        .map(({ textContent }) => textContent ?? '')
        .find((text) => text.startsWith(title)),
    title,
  )
/** How many bars a card of dates has. */
const bars = (title: string) =>
  visit.page.evaluate((title) => {
    const card = [...document.querySelectorAll('section')].find(
      (section) => section.querySelector('h2')?.textContent === title,
    )
    card?.scrollIntoView({ block: 'center' })
    return card?.querySelectorAll('.recharts-bar-rectangle path').length ?? 0
  }, title)

test('every card shows what the scan counted', async () => {
  await expect.poll(scanned, { timeout: 120_000 }).toBe(2)
  await signInAt(visit, '/search')
  await at('/search?activeTab=2')
  await person.see('Storage Types')
  await expect.poll(() => bars('Last Modified Date')).toBeGreaterThan(0)
  await expect.poll(() => visit.page.$$eval('.recharts-pie-sector', ({ length }) => length)).toBe(3)
  expect(await look('analytics')).toEqual([])
  for (const title of ['Last Modified Date', 'Extension', 'Duplicates', 'Storages', 'Storage Types'])
    await asTable(title)
  expect(await row('Last Modified Date', '2019')).toEqual(['6.00 MiB', '3 files'])
  expect(await row('Last Modified Date', '2024')).toEqual(['700 KiB', '5 files'])
  expect(await row('Last Modified Date', String(year))).toEqual(['231 KiB', '14 files'])
  expect(await rows('Last Modified Date')).toHaveLength(13)
  expect(await row('Extension', 'mov')).toEqual(['6.00 MiB', '3', expect.stringMatching(/^\d+\.\d %$/)])
  expect(await row('Extension', 'No extension')).toEqual(['300 KiB', '1', expect.anything()])
  expect((await rows('Extension')).at(-1)?.slice(0, 3)).toEqual(['Other', '108 KiB', '8'])
  expect(await row('Duplicates', 'Duplicates')).toEqual(['1.00 MiB', '2', expect.anything()])
  await person.see(/512 KiB reclaimable[^]*their content is not compared/)
  expect((await rows('Storages')).map(([name]) => name)).toEqual(['Films', 'Archive'])
  expect(await row('Storage Types', 'File storage')).toEqual(['7.91 MiB', '24', '100.0 %'])
})

test('the arrows move the window by 13 periods, and none leads past the present', async () => {
  expect(await person.isDisabled('Last Modified Date: next 13 periods')).toBe(true)
  await person.press('Last Modified Date: previous 13 periods')
  await expect.poll(() => row('Last Modified Date', '2009')).toEqual(['1.00 MiB', '2 files'])
  expect((await rows('Last Modified Date')).map(([name]) => name)).toEqual(
    Array.from({ length: 13 }, (_, i) => String(year - 25 + i)),
  )
  await person.press('Last Modified Date: next 13 periods')
  await expect.poll(() => row('Last Modified Date', '2024')).toEqual(['700 KiB', '5 files'])
  await expect.poll(() => person.isDisabled('Last Modified Date: next 13 periods')).toBe(true)
})

test('how many items are shown, and as what, is chosen and remembered', async () => {
  await visit.page.select('[aria-label="Shown items of Extension"]', '5')
  await expect.poll(async () => (await rows('Extension')).length).toBe(6)
  await asTable('Extension')
  await person.press('Extension as circle')
  await visit.page.reload()
  const pressed = () =>
    visit.page.$eval('[aria-label="Extension as circle"]', (button) => button.getAttribute('aria-pressed'))
  await expect.poll(() => visit.page.$('[aria-label="Extension as circle"]')).not.toBeNull()
  expect(await pressed()).toBe('true')
  await person.pressAt('[aria-label="What charts measure"] label[for$="count"]')
  await expect.poll(() => summary('Extension')).toMatch(/The largest is txt with 4, 16\.[67] %\./)
  expect(await look('analytics-circle')).toEqual([])
})

test('a bar narrows the search to its period, unit by unit, by the mouse and by the keyboard', async () => {
  await at('/search?activeTab=2')
  await expect.poll(() => bars('Last Modified Date')).toBeGreaterThan(2)
  const bar = `*[contains(@class, 'recharts-bar-rectangle')]//*[local-name() = 'path']`
  await person.pressAt(`::-p-xpath((//section[.//h2[. = 'Last Modified Date']]//${bar})[2])`)
  await expect.poll(query).toContain('lastModifiedAfter=2024-01-01&lastModifiedBefore=2025-01-01')
  await expect.poll(() => summary('Last Modified Date')).toContain('from December 2023 to December 2024: 5 files')
  await expect.poll(() => summary('Extension')).toContain('Extension: 5 files')
  await person.see('By month')
  const drawing = 'section:nth-of-type(3)'
  await visit.page.$eval(`${drawing} .recharts-surface`, (surface) => (surface as SVGElement).focus())
  const hint = () => visit.page.$eval(`${drawing} .recharts-tooltip-wrapper`, ({ textContent }) => textContent)
  // While the pointer rests in the middle, the keys count.
  await visit.page.hover(`${drawing} .recharts-surface`)
  await expect.poll(hint).toMatch(/May|June/)
  for (const month of ['January', 'February', 'March']) {
    await person.key('ArrowRight')
    await expect.poll(hint).toContain(`${month} 2024`)
  }
  await person.key('Enter')
  await expect.poll(query).toContain('lastModifiedAfter=2024-03-01&lastModifiedBefore=2024-04-01')
  await expect.poll(() => summary('Last Modified Date')).toMatch(/from Week of .*: 5 files/)
  await at('/search?activeTab=2&lastModifiedAfter=2024-03-10&lastModifiedBefore=2024-03-18')
  await asTable('Last Modified Date')
  await person.press('2024-03-12')
  await expect.poll(query).toContain('lastModifiedAfter=2024-03-12&lastModifiedBefore=2024-03-13')
  await expect.poll(() => summary('Extension')).toContain('Extension: 1 file,')
})

test('an item narrows the search, and what has no name does not lead anywhere', async () => {
  const choose = async (title: string, name: string) => {
    await at('/search?activeTab=2')
    await asTable(title)
    await person.press(name)
  }
  await choose('Extension', 'No extension')
  await expect.poll(query).toContain('ignorePattern=*.*')
  await expect.poll(() => summary('Extension')).toContain('Extension: 1 file,')
  await choose('Extension', 'mov')
  await expect.poll(query).toContain('extension=mov')
  await choose('Storages', 'Archive')
  await expect.poll(query).toContain('volumeId=')
  await expect.poll(() => summary('Storages')).toContain('Storages: 15 files')
  await choose('Duplicates', 'Duplicates')
  await expect.poll(query).toContain('onlyDuplicates=true')
  await at('/search?activeTab=2&name=nothing-is-called-so')
  await person.see('No files found')
})

test('duplicates say what is reclaimable, and stand together where the list is grouped by set', async () => {
  await at('/search?onlyDuplicates=true')
  await person.see(/2 files\s+1\.00 MiB\s+512 KiB reclaimable/)
  await person.press('Group by set')
  await expect.poll(query).toContain('sort=duplicateSet&direction=desc')
  const names = () =>
    visit.page.$$eval('main tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => cell.innerText))
  await expect.poll(async () => (await names()).map((name) => name.trim())).toEqual(['copy.wav', 'copy.wav'])
  const path = join(visit.scratch, 'films/one/copy.wav')
  await expect.poll(() => visit.page.$(`main [title="${path}"]`)).not.toBeNull()
  expect(await look('search-by-set')).toEqual([])
  await person.press('Group by set')
  await expect.poll(query).not.toContain('sort=')
})

test('the report is made, shown and downloaded, with its charts over six pages', async () => {
  const downloaded = async (name: string) => {
    await person.press('Download', 'link')
    await expect
      .poll(() => readdirSync(visit.downloads).find((file) => file.startsWith(name) && file.endsWith('.pdf')))
      .toBeDefined()
    const file = readdirSync(visit.downloads).find((file) => file.startsWith(name)) ?? ''
    return readFileSync(join(visit.downloads, file), 'latin1')
  }
  await at('/search?activeTab=2&minimumSize=1')
  await person.press('Search report')
  await person.see('Loading document...')
  await expect.poll(() => visit.page.$('object'), { timeout: 60_000 }).not.toBeNull()
  const report = await downloaded('SearchReport')
  expect(await look('analytics-report')).toEqual([])
  expect(report.startsWith('%PDF-')).toBe(true)
  expect(report.match(/\/Type \/Page\b/g)).toHaveLength(7)
  await person.press('Close')
  await person.closed()
  await person.press('PDF of Extension')
  expect((await downloaded('Extension')).match(/\/Type \/Page\b/g)).toHaveLength(1)
  await person.press('Close')
})

test('what fails says so: in its card with a way to try again, and of a document in a message', async () => {
  await visit.page.setRequestInterception(true)
  let isBroken = true
  visit.page.on('request', (request) => {
    if (isBroken && request.url().includes('fieldName=owner')) void request.respond({ status: 500, body: 'broken' })
    else void request.continue()
  })
  await at('/search?activeTab=2')
  await person.see('Unable to get the fields of the search')
  await person.press('Search report')
  await person.closed()
  await expect.poll(() => visit.page.$eval('[role="alert"]', () => true)).toBe(true)
  isBroken = false
  await person.press('Retry')
  await expect.poll(() => summary('Owners')).toMatch(/^Owners: 24 files/)
  await visit.page.setRequestInterception(false)
})

test('nothing of it made the browser complain', () =>
  expect(visit.complaints.filter((complaint) => !complaint.includes('status of 500'))).toEqual([]))
