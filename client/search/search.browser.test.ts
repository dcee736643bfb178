import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const odd = 'a&b=c #1 100%25 +x naïve “x” 日本.mov'
/** Names in the rendered rows. */
const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
/** Names of rows with a tag. */
const tagged = (tag: string) =>
  visit.page.$$eval(
    'tr[data-index]',
    (rows, tag) =>
      rows
        .filter((row) => row.textContent?.includes(tag))
        .map((row) => row.querySelector('td:nth-child(2)')?.textContent?.trim()),
    tag,
  )
const field = 'input[data-search]'
const searched = () => visit.page.$eval(field, (field) => (field as HTMLInputElement).value)
/** Presses Tab until the element has the focus. */
async function tabTo(selector: string) {
  for (let stop = 0; stop < 80; stop += 1) {
    await person.key('Tab')
    if (await visit.page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return
  }
  throw new Error(`Tab does not reach ${selector}`)
}

beforeAll(async () => {
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  for (const [index, name] of ['a.mov', 'b.mov', 'c.wav', 'd.txt'].entries())
    writeFileSync(join(films, name), 'x'.repeat(1_024 * (index + 1)))
  const archive = join(visit.scratch, 'archive')
  mkdirSync(archive)
  writeFileSync(join(archive, odd), 'x')
  for (const [name, path] of Object.entries({ Films: films, Archive: archive }))
    await visit.product.addStorage({ name, path })
  await scan(visit, 1, 2)
})

test('files are searched, filtered, selected and opened with the keyboard alone', async () => {
  await signInAt(visit, '/search')
  await expect.poll(names).toHaveLength(5)
  await visit.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo(field)
  await person.type('b.mov')
  await person.key('Enter')
  await expect.poll(names).toEqual(['b.mov'])
  await visit.page.focus(field)
  await person.key('End')
  await person.type(' in:/nowhere')
  await person.key('Enter')
  await person.see('No files found')
  await tabTo('[role="toolbar"][aria-label="Filters"] button')
  for (let chip = 0; chip < 4; chip += 1) await person.key('ArrowRight')
  expect(await visit.page.$('[aria-label^="Remove Starting path"]:focus')).not.toBeNull()
  await person.key('Enter')
  await expect.poll(names).toEqual(['b.mov'])
  await tabTo('tr[data-index="0"]')
  await person.key('Space')
  await person.see('1 file selected')
  await person.key('Enter')
  await person.see('File Details')
  await person.key('Escape')
  await person.closed()
  await expect.poll(() => visit.page.$('tr[data-index="0"]:focus')).not.toBeNull()
  await person.key('Escape')
  await expect.poll(() => visit.page.$eval('main', (main) => main.innerText)).not.toContain('selected')
})

test('odd words survive the address, a reload and a step back', async () => {
  await person.writeAt(field, odd)
  await person.key('Enter')
  await expect.poll(names).toEqual([odd])
  await visit.page.reload()
  await expect.poll(names).toEqual([odd])
  expect(await searched()).toBe(odd)
  await visit.page.goBack()
  await expect.poll(names).toEqual(['b.mov'])
  await person.writeAt(field, '')
  await person.key('Enter')
  await expect.poll(names).toHaveLength(5)
})

test('files are filtered, selected and tagged by mouse, and a tag from elsewhere is shown at once', async () => {
  await person.press('Name')
  const top = () => visit.page.$eval('tr[data-index="0"]', (row) => row.getBoundingClientRect().top)
  const before = await top()
  await person.press('Storage')
  await person.press('Films')
  await person.key('Escape')
  await expect.poll(names).toEqual(['a.mov', 'b.mov', 'c.wav', 'd.txt'])
  await person.pressAt('tr[data-index="3"] input')
  await visit.page.keyboard.down('Shift')
  await person.pressAt('tr[data-index="2"] input')
  await visit.page.keyboard.up('Shift')
  await person.see('2 files selected')
  const folders = 'tr[data-index] td:nth-child(3) bdi > span'
  // The ends of the folders are visible.
  const areWhole = (ends: Element[]) =>
    ends.every((end) => end.getBoundingClientRect().right <= end.parentElement!.getBoundingClientRect().right + 1)
  expect(await visit.page.$$eval(folders, areWhole)).toBe(true)
  // Neither filters nor the toolbar of a selection move the results.
  expect(await top()).toBe(before)
  expect(await look(visit, 'search-selected')).toEqual([])
  // Changes of tags arrive over the live connection.
  await visit.page.waitForSelector('output[data-phase="live"]')
  await person.press('Add tags')
  await person.write('Find or create a tag', 'chosen')
  await person.key('Enter')
  await person.see('chosen')
  await person.pressAt('::-p-xpath(//*[@role="dialog"]//button[normalize-space(.)="Add tags"])')
  await person.closed()
  await expect.poll(() => tagged('chosen')).toEqual(['c.wav', 'd.txt'])
  const entries = [{ volumeId: 1, path: '/a.mov', isDirectory: false }]
  const { status } = await visit.product.call('PUT', '/v1/files/tags', { entries, add: ['from elsewhere'] })
  expect(status).toBe(200)
  await expect.poll(() => tagged('from elsewhere')).toEqual(['a.mov'])
})

test('the results are downloaded to disk', async () => {
  await person.press('Download')
  await person.press('Files as CSV', 'menuitem')
  await person.see('CSV file downloaded successfully')
  const downloaded = () => readdirSync(visit.downloads).filter((name) => name.endsWith('.csv'))
  await expect.poll(downloaded).toHaveLength(1)
  const lines = readFileSync(join(visit.downloads, downloaded()[0] ?? ''), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines.join()).toContain('d.txt')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
