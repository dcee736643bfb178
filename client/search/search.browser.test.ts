import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeTree } from '#deploy/bench/tree.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let made: { files: number; folders: number }
let person: ReturnType<typeof hands>
const odd = ['a&b=c #1.mov', '100%25 +1.mov', 'naïve “x”.mov', '日本.mov']
const query = () => decodeURIComponent(new URL(visit.page.url()).search)
const look = (name: string) => lookAt(visit, name)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
/** The names in the rows on screen, and the cells of a row. */
const names = () => texts('td:nth-child(2)')
const texts = (cell: string) =>
  visit.page.$$eval(`tr[data-index] ${cell}`, (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
const field = 'input[data-search]'
const searched = () => visit.page.$eval(field, (field) => (field as HTMLInputElement).value)
const found = () => visit.page.$eval('[aria-label="Found"]', (found) => found.textContent)

beforeAll(async () => {
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  made = makeTree(films, 12_000)
  const archive = join(visit.scratch, 'archive')
  mkdirSync(join(archive, 'odd'), { recursive: true })
  for (const [index, name] of odd.entries()) writeFileSync(join(archive, 'odd', name), 'x'.repeat(1_000 * (index + 1)))
  writeFileSync(join(archive, 'README'), 'no extension')
  for (const [name, path] of Object.entries({ Films: films, Archive: archive }))
    await visit.product.addStorage({ name, path })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1, 2])
})
const scanned = async () => {
  const { answer } = await visit.product.call('GET', '/v1/volumes')
  return (answer as { total: number }).total
}

test('the screen shows all files, largest first, with their number and size', async () => {
  await expect.poll(scanned, { timeout: 120_000 }).toBe(2)
  await signInAt(visit, '/search')
  await person.see(/[\d,]+ files,/)
  expect(await found()).toMatch(new RegExp(`^${(made.files + 5).toLocaleString('en')} files.*iB$`))
  expect(await look('search')).toEqual([])
})

test('typed text is searched for after a pause, or at once with Enter, and back and forward return to it', async () => {
  await person.writeAt(field, 'mov')
  expect(query()).toBe('')
  await expect.poll(query).toBe('?search=mov')
  await person.writeAt(field, '*README*')
  await person.key('Enter')
  await expect.poll(query).toBe('?search=*README*')
  await expect.poll(names).toEqual(['README'])
  await visit.page.goBack()
  await expect.poll(searched).toBe('mov')
  await visit.page.goForward()
  await expect.poll(names).toEqual(['README'])
})

test('odd words survive the address, a reload and a step back', async () => {
  for (const name of odd) {
    await person.writeAt(field, name)
    await person.key('Enter')
    await expect.poll(names).toEqual([name])
    await visit.page.reload()
    await expect.poll(names).toEqual([name])
    expect(await searched()).toBe(name)
  }
  await visit.page.goBack()
  await expect.poll(names).toEqual([odd[2]])
})

test('filters are chosen in the card, checked, shown as chips and taken away', async () => {
  await at('/search')
  await person.press('Filter')
  await person.write('Starting path', 'odd')
  await person.see('Starting path must begin with /')
  await person.write('Starting path', '/odd')
  await person.write('Minimum size', '2')
  await person.choose('Unit of the minimum size', 'KB')
  await person.write('Extension', '.mov, .m p4')
  await person.key('Enter')
  await person.see('Extension: mov,mp4')
  await person.see('Minimum size: 2 KB')
  await expect.poll(names).toEqual([odd[3], odd[2]])
  await expect
    .poll(() => Object.fromEntries(new URL(visit.page.url()).searchParams))
    .toEqual({ extension: 'mov,mp4', startingPath: '/odd', minimumSize: '2', minimumSizeUnit: 'KB' })
  expect(await look('search-filters')).toEqual([])
  await person.press('Remove Minimum size: 2 KB')
  await expect.poll(names).toEqual(odd.toReversed())
  await person.press('Clear filters')
  await expect.poll(query).toBe('?size=25')
  await person.see('25 per page')
})

test('storages, dates, patterns and flags are filters too, and without an extension is one', async () => {
  await person.pressAt('aria/Storages')
  await person.type('Arch')
  await person.key('ArrowDown')
  await person.key('Enter')
  await person.key('Escape')
  await person.see('Storage: Archive')
  await person.pressAt('aria/No extension')
  await expect.poll(names).toEqual(['README'])
  await person.press('See analytics of storage', 'link')
  await expect.poll(() => new URL(visit.page.url()).pathname).toBe('/volumes/2')
  await person.see('Storage Details')
  await visit.page.goBack()
  await person.press('Filter')
  await person.press('Add another')
  await person.write('Ignore pattern 2', 'READ*')
  await person.see('No On-Premises files found.')
  await person.press('Remove ignore pattern 2')
  await expect.poll(names).toEqual(['README'])
  const steps = () => visit.page.evaluate(() => history.length)
  const before = await steps()
  await visit.page.type('aria/Last modified after[role="textbox"]', '2030-01-01')
  expect([query().includes('lastModifiedAfter'), await steps()]).toEqual([false, before])
  await person.key('Enter')
  await expect.poll(query).toContain('lastModifiedAfter=2030-01-01')
  expect(await steps()).toBe(before + 1)
  await person.see('Last modified after: 2030-01-01')
  await person.see('No On-Premises files found.')
  expect(await look('search-none')).toEqual([])
  await person.choose('Show only deleted files', 'Yes')
  await person.see('No deleted files found.')
  await person.press('Clear filters')
  await person.see('25 per page')
})

test('what cannot be searched for is left out with a word', async () => {
  await at('/search?search=README&minimumSize=big&volumeId=7&activeTab=9')
  await person.see('Left out of the search: Minimum size must be a number; activeTab must be 0, 1 or 2.')
  await person.see('Storage: Invalid')
  await person.press('Remove from the address')
  await expect.poll(query).toBe('?search=README&volumeId=7')
})

test('a column sorts upwards first, then downwards, and this browser remembers it for each list', async () => {
  await at('/search?volumeId=2')
  await person.press('Name')
  await expect.poll(names).toEqual([odd[1], odd[0], odd[2], 'README', odd[3]])
  await person.press('Name')
  await expect.poll(names).toEqual([odd[3], 'README', odd[2], odd[0], odd[1]])
  await at('/search?volumeId=2')
  await expect.poll(names).toEqual([odd[3], 'README', odd[2], odd[0], odd[1]])
  await person.press('Folders', 'tab')
  await expect.poll(query).toBe('?volumeId=2&activeTab=1')
  await person.see('1 folder found')
  expect(await visit.page.evaluate(() => ({ ...localStorage }))).toMatchObject({
    fileSort: 'name',
    fileDirection: 'desc',
  })
  expect(await look('search-folders')).toEqual([])
})

test('pages have the size that was chosen, and a row opens its details', async () => {
  await at('/search?volumeId=1')
  await person.choose('files per page', '100')
  await expect.poll(query).toBe('?volumeId=1&size=100')
  await person.press('Next page')
  await expect.poll(query).toBe('?volumeId=1&page=2&size=100')
  await person.choose('files per page', '500')
  await person.write('Page', '25')
  await person.key('Enter')
  await expect.poll(query).toBe('?volumeId=1&page=20&size=500')
  await person.see('Page numbers end at 10,000; Next goes on')
  const tenThousandth = (await names()).at(-1)
  await person.press('Next page')
  await expect.poll(async () => (await names()).at(-1)).not.toBe(tenThousandth)
  expect(query()).toBe('?volumeId=1&page=20&size=500')
  await at('/search?search=README')
  await person.pressAt('tr[data-index="0"] td:nth-child(4)')
  await person.see('File Details')
  await person.press('Close')
  await person.closed()
})

test('a selection is tagged, and another browser shows the tag within a second', async () => {
  const context = await visit.page.browser().createBrowserContext()
  onTestFinished(() => context.close())
  const other = { ...visit, page: await context.newPage() }
  await other.page.setViewport({ width: 1440, height: 900 })
  await signInAt(other, '/search')
  await other.page.goto(`${visit.product.address}/search?search=README`)
  await other.page.waitForSelector('tr[data-index="0"]')
  await at('/search?volumeId=2&sort=name')
  await person.pressAt('tr[data-index="3"] input')
  await person.see('1 file selected')
  await visit.page.keyboard.down('Shift')
  await person.pressAt('tr[data-index="1"] input')
  await visit.page.keyboard.up('Shift')
  await person.see('3 files selected')
  for (const row of [1, 2]) await person.pressAt(`tr[data-index="${row}"] input`)
  await person.see('1 file selected')
  expect(await visit.page.$('[role="dialog"]')).toBeNull()
  await person.press('Add tags')
  await person.write('Filter or name a tag', 'seen live')
  await person.key('Enter')
  await person.pressAt('[role="dialog"] >>> ::-p-text(Add tags)')
  await hands(other).see('seen live')
  await person.press('Select: Some are selected')
  await person.press('Select all', 'menuitem')
  await person.see('5 files selected')
  expect(await look('search-selected')).toEqual([])
  await at('/search?tag=seen+live')
  await expect.poll(names).toEqual(['README'])
  await person.see('Tags: seen live')
})

test('the address is shared, and results are downloaded', async () => {
  await at('/search?search=mov&volumeId=2')
  await person.press('Share')
  await person.see(`${visit.product.address}/search?search=mov&volumeId=2`)
  await person.press('Copy url')
  await person.see('Copied!')
  await person.key('Escape')
  await person.closed()
  await person.press('Download')
  await person.press('Files as CSV', 'menuitem')
  await person.see('CSV file downloaded successfully')
  await expect.poll(() => readdirSync(visit.downloads)).toEqual([expect.stringMatching(/^searchFileResult-.*\.csv$/)])
  const csv = readFileSync(join(visit.downloads, readdirSync(visit.downloads)[0] ?? ''), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(5)
  expect(csv).toContain('日本.mov')
})

test('a failing search says so, keeps the address and goes on when it works again', async () => {
  await visit.page.setRequestInterception(true)
  const refuse = (request: { url(): string; continue(): void; respond(answer: object): void }) =>
    request.url().includes('/files/search')
      ? request.respond({ status: 503, contentType: 'application/json', body: '{"message":"The engine is away"}' })
      : request.continue()
  visit.page.on('request', refuse as never)
  await at('/search?search=README')
  await person.see('The engine is away')
  await expect.poll(() => visit.page.$$('.mantine-Notification-root')).toHaveLength(1)
  expect(await look('search-failing')).toEqual([])
  visit.page.off('request', refuse as never)
  await visit.page.setRequestInterception(false)
  await person.press('Retry')
  await expect.poll(names).toEqual(['README'])
})

test('nothing of it made the browser complain', () => {
  expect(visit.complaints.filter((text) => !text.includes('503'))).toEqual([])
})
