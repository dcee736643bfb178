import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Excel from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'
import { seeStringFormat } from '#client/testing/stringFormat.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
const query = () => new URL(visit.page.url()).searchParams
const criteria = () => JSON.parse(query().get('criteria') ?? 'null')
const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
const scanned = async () => {
  const { answer } = await visit.product.call('GET', '/v1/volumes')
  return (answer as { total: number }).total
}
const counted = async (query: string) => {
  const { answer } = await visit.product.call('GET', `/files/search?${query}`)
  return (answer as { total: number }).total
}
/** Films whose name does not begin with an a, or what begins with a c. */
const chosen = {
  searchOperator: 'OR',
  searchQueries: [{ name: { wildcard: 'c*' } }],
  searchQueryNodes: [
    {
      searchOperator: 'AND',
      searchQueries: [{ extension: { value: 'mov' } }, { name: { startsWith: 'a' }, excludeFilter: true }],
      searchQueryNodes: [],
    },
  ],
}
const chosenAt = (query = '') => at(`/search?criteria=${encodeURIComponent(JSON.stringify(chosen))}${query}`)
const { downloads } = visit
/** Downloads results, and returns the file once the browser has it whole. */
async function downloaded(item: string, name: RegExp): Promise<Buffer> {
  await person.press('Download')
  await person.press(item, 'menuitem')
  await expect.poll(() => readdirSync(downloads)).toContainEqual(expect.stringMatching(name))
  return readFileSync(join(downloads, readdirSync(downloads).find((file) => name.test(file)) ?? ''))
}
const linesOf = (csv: Buffer) => csv.toString('utf8').trim().split('\r\n')
/** Presses the button of the open tags, which is named as the icon that opened them. */
const apply = (words: string) => person.pressAt(`[role="dialog"] >>> ::-p-text(${words})`)
const seeText = (text: string) => seeStringFormat(visit, text)
/** Presses Tab until the focus is on what a selector names. */
async function tabTo(selector: string) {
  for (let stop = 0; stop < 80; stop += 1) {
    await person.key('Tab')
    if (await visit.page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return
  }
  throw new Error(`Tab does not come to ${selector}`)
}

beforeAll(async () => {
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  for (const [index, name] of ['a.mov', 'b.mov', 'c.wav', 'd.txt'].entries())
    writeFileSync(join(films, name), 'x'.repeat(1_024 * (index + 1)))
  await visit.product.addStorage({ name: 'Films', path: films })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1])
})

test('the advanced search begins with what the filters ask, and counts while conditions are written', async () => {
  await expect.poll(scanned, { timeout: 120_000 }).toBe(1)
  await signInAt(visit, '/search')
  await at('/search?extension=mov')
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
  await person.pressAt('[aria-label="Conditions"] label::-p-text(OR)')
  await person.press('Add condition')
  const values = await visit.page.$$('input[aria-label="Value"]')
  await values[1]?.type('c*')
  await seeText('Extension is one of "mov" OR Name matches "c*"')
  await expect.poll(names).toEqual(['c.wav', 'b.mov', 'a.mov'])
  await person.see('3 files')
  expect(criteria()).toMatchObject({ searchOperator: 'OR', searchQueries: [{}, { name: { wildcard: 'c*' } }] })
})

test('groups are nested, conditions exclude, and the address brings all of it back', async () => {
  await person.press('Add group')
  const values = await visit.page.$$('input[aria-label="Value"]')
  await values[2]?.type('*.txt')
  await person.key('Enter')
  await expect.poll(names).toEqual(['d.txt', 'c.wav', 'b.mov', 'a.mov'])
  await person.pressAt('::-p-xpath((//*[@aria-label="Conditions"]//input[@type="checkbox"])[3])')
  await seeText('Extension is one of "mov" OR Name matches "c*" OR (NOT Name matches "*.txt")')
  expect(await look('search-advanced')).toEqual([])
  const shared = visit.page.url()
  await visit.page.goto('about:blank')
  await visit.page.goto(shared)
  await seeText('Extension is one of "mov" OR Name matches "c*" OR (NOT Name matches "*.txt")')
  await expect.poll(names).toEqual(['c.wav', 'b.mov', 'a.mov'])
  await visit.page.goBack()
  await visit.page.goForward()
  await expect.poll(names).toEqual(['c.wav', 'b.mov', 'a.mov'])
})

test('what conditions cannot ask is named, and holds again with the filters', async () => {
  await at('/search?extension=mov&backupAfter=2026-01-01&report=Old films')
  await person.see('No files found')
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  await person.see('Left out, because conditions cannot express it: Reports: Old films; Backup after: 2026-01-01.')
  expect(await look('search-advanced-left-out')).toEqual([])
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
  await person.press('Advanced')
  await person.see('No files found')
  expect(query().get('backupAfter')).toBe('2026-01-01')
  await at('/search?extension=mov')
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  expect(await visit.page.$$eval('output', (all) => all.map((it) => it.textContent).join())).not.toContain('Left out')
})

test('filters for which conditions have no room are named, and the rest is asked', async () => {
  const places = Array.from({ length: 51 }, (_, i) => `storageAndPath=999:/${i}`)
  await at(`/search?extension=mov&${places.join('&')}`)
  await person.see('No files found')
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  await person.see('Left out, because conditions cannot express it: Storage and path: ')
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
})

test('what the server refuses stands below the conditions, and what is no condition is left out of the address', async () => {
  await at(`/search?criteria=${encodeURIComponent('[{"name":{"regex":"("}}]')}`)
  await person.see(/name regex .+/)
  await at('/search?criteria=nonsense&search=a')
  await person.see('Left out of the search: criteria must be JSON.')
  await expect.poll(names).toContain('a.mov')
})

test('conditions that no address can hold are refused in words, and nothing else is searched for', async () => {
  await chosenAt()
  await expect.poll(names).toEqual(['c.wav', 'b.mov'])
  const [value] = await visit.page.$$('input[aria-label="Value"]')
  await value?.focus()
  await visit.page.keyboard.sendCharacter('日'.repeat(850))
  await person.see('These conditions are too long for an address')
  expect(criteria()).toEqual(chosen)
  expect(await names()).toEqual(['c.wav', 'b.mov'])
})

test('what conditions find is downloaded in its order, as any search', async () => {
  await chosenAt('&sort=name&direction=asc')
  await expect.poll(names).toEqual(['b.mov', 'c.wav'])
  const [head, ...rows] = linesOf(await downloaded('Files as CSV', /^searchFileResult-[\d-]+\.csv$/))
  expect(head).toContain('Size (bytes)')
  expect(rows.map((row) => row.split(',')[0]?.replaceAll('"', ''))).toEqual(['b.mov', 'c.wav'])
  await person.see('CSV file downloaded successfully')
  const book = new Excel.Workbook()
  const xlsx = await downloaded('Files as spreadsheet (XLSX)', /^searchFileResult-[\d-]+\.xlsx$/)
  await book.xlsx.load(xlsx as unknown as ArrayBuffer)
  expect(book.worksheets[0]?.getColumn(1).values.slice(1)).toEqual(['Name', 'b.mov', 'c.wav'])
  expect(linesOf(await downloaded('Folders as CSV', /^searchFolderResult-[\d-]+\.csv$/))).toHaveLength(1)
})

test('all that conditions find is tagged at once, and loses the tag again', async () => {
  await chosenAt()
  await expect.poll(names).toEqual(['c.wav', 'b.mov'])
  await person.press('Select: Nothing is selected')
  await person.press('Select all', 'menuitem')
  await person.see('2 files selected')
  expect(await look('search-advanced-selected')).toEqual([])
  await person.press('Add tags')
  await person.write('Filter or name a tag', 'chosen')
  await person.key('Enter')
  await apply('Add tags')
  await person.see('The tag job is running and may take a couple of minutes.')
  await expect.poll(() => counted('tag=chosen')).toBe(2)
  await expect.poll(() => visit.page.$$eval('[aria-label="Tags"]', (tags) => tags.length)).toBe(2)
  await person.press('Remove tags')
  await person.press('chosen', 'checkbox')
  await apply('Remove tags')
  await expect.poll(() => counted('tag=chosen')).toBe(0)
})

test('a search is kept under a name, shared, opened, renamed and deleted', async () => {
  await at('/search?extension=mov&page=1')
  await person.press('Saved searches')
  await person.see('No saved searches yet.')
  await person.press('Save this search')
  await person.press('Save')
  await person.see('Name must not be blank')
  await person.write('Name', 'Old films')
  await person.pressAt('aria/Share with everyone')
  expect(await look('search-save')).toEqual([])
  await person.press('Save')
  await person.see('Search Old films was saved')
  await person.closed()
  await at('/search')
  await person.press('Saved searches')
  await person.see('Shared by admin')
  expect(await look('search-saved')).toEqual([])
  await person.press('Old films', 'link')
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
  expect(query().toString()).toBe('extension=mov')
  await person.press('Saved searches')
  await person.press('Edit Old films')
  await person.write('Name', 'Older films')
  await person.press('Save')
  await person.closed()
  await person.press('Saved searches')
  await person.press('Delete Older films')
  await person.see('It is shared: nobody will be able to use it any more.')
  await person.press('Delete search')
  await person.see('Search Older films was deleted')
})

test('files are searched, filtered, selected and opened with the keyboard alone', async () => {
  await at('/search')
  await expect.poll(names).toHaveLength(4)
  await tabTo('input[data-search]')
  await person.type('mov')
  await person.key('Enter')
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
  await tabTo('button[aria-expanded="false"]:not([aria-haspopup])')
  await person.key('Enter')
  await tabTo('input[placeholder="/folder"]')
  await person.type('/nowhere')
  await person.key('Enter')
  await person.see('No files found')
  await tabTo('[aria-label^="Remove Starting path"]')
  await person.key('Enter')
  await expect.poll(names).toEqual(['b.mov', 'a.mov'])
  await tabTo('tr[data-index="0"]')
  await person.key('ArrowDown')
  await person.key('Space')
  await person.see('1 file selected')
  await person.key('Enter')
  await person.see('File Details')
  await person.key('Escape')
  await person.closed()
  await expect.poll(() => visit.page.$('tr[data-index="1"]:focus')).not.toBeNull()
  await person.key('Escape')
  await person.see('0 files selected')
})

test('conditions of an older date are downloaded as it was, and are read only', async () => {
  await backdate(await testDb(), '2026-01-10')
  writeFileSync(join(visit.scratch, 'films', 'cc.mov'), 'new')
  await scan(visit, 1)
  await chosenAt()
  await expect.poll(names).toEqual(['c.wav', 'b.mov', 'cc.mov'])
  await chosenAt('&date=2026-01-10')
  await expect.poll(names).toEqual(['c.wav', 'b.mov'])
  expect(linesOf(await downloaded('Files as CSV', /^searchFileResult-2026-01-10\.csv$/))).toHaveLength(3)
  await person.press('Select: Nothing is selected')
  await person.press('Select all', 'menuitem')
  await person.see('2 files selected')
  for (const name of ['Add tags', 'Remove tags']) {
    expect(await person.isDisabled(name)).toBe(true)
    const title = await visit.page.$eval(`[aria-label="${name}"]`, (button) => button.getAttribute('title'))
    expect(title).toBe('This is a previous snapshot: it is read only')
  }
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
