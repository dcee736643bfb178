import { mkdirSync, readFileSync, readdirSync, writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const odd = ['a&b=c #1.mov', '100%25 +1.mov', 'naïve “x”.mov', '日本.mov']
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
/** The names in the rows on screen. */
const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
const field = 'input[data-search]'
const searched = () => visit.page.$eval(field, (field) => (field as HTMLInputElement).value)
/** Presses Tab until the focus is on the element that a selector names. */
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
  for (const [index, name] of odd.entries()) writeFileSync(join(archive, name), 'x'.repeat(1_000 * (index + 1)))
  for (const [name, path] of Object.entries({ Films: films, Archive: archive }))
    await visit.product.addStorage({ name, path })
  await scan(visit, 1, 2)
})

test('odd words survive the address, a reload and a step back', async () => {
  await signInAt(visit, '/search')
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

test('files are filtered, selected and tagged by mouse, and another browser shows the tag within a second', async () => {
  const context = await visit.page.browser().createBrowserContext()
  onTestFinished(() => context.close())
  const other = { ...visit, page: await context.newPage() }
  await other.page.setViewport({ width: 1440, height: 900 })
  await signInAt(other, '/search')
  await other.page.goto(`${visit.product.address}/search?search=c.wav`)
  await other.page.waitForSelector('tr[data-index="0"]')
  await at('/search?sort=name')
  await person.press('Filter')
  await person.pressAt('aria/Storages')
  await person.type('Fil')
  await person.key('ArrowDown')
  await person.key('Enter')
  await person.key('Escape')
  await expect.poll(names).toEqual(['a.mov', 'b.mov', 'c.wav', 'd.txt'])
  await person.pressAt('tr[data-index="3"] input')
  await visit.page.keyboard.down('Shift')
  await person.pressAt('tr[data-index="2"] input')
  await visit.page.keyboard.up('Shift')
  await person.see('2 files selected')
  expect(await look(visit, 'search-selected')).toEqual([])
  await person.press('Add tags')
  await person.write('Filter or name a tag', 'seen live')
  await person.key('Enter')
  await person.pressAt('[role="dialog"] >>> ::-p-text(Add tags)')
  await hands(other).see('seen live')
  await at('/search?tag=seen+live&sort=name')
  await expect.poll(names).toEqual(['c.wav', 'd.txt'])
})

test('the results of filters and of conditions are downloaded', async () => {
  const downloaded = async () => readdirSync(visit.downloads).filter((name) => name.endsWith('.csv'))
  const linesOf = (name: string) => readFileSync(join(visit.downloads, name), 'utf8').trim().split('\r\n')
  const criteria = [{ name: { wildcard: '日*' } }]
  const lines: string[][] = []
  for (const address of [
    `/search?search=mov&volumeId=2`,
    `/search?criteria=${encodeURIComponent(JSON.stringify(criteria))}`,
  ]) {
    await at(address)
    await person.press('Download')
    await person.press('Files as CSV', 'menuitem')
    await person.see('CSV file downloaded successfully')
    await expect.poll(downloaded).toHaveLength(1)
    lines.push(...(await downloaded()).map(linesOf))
    // The next download has the same name.
    for (const name of await downloaded()) rmSync(join(visit.downloads, name))
  }
  lines.sort((a, b) => b.length - a.length)
  expect(lines.map(({ length }) => length)).toEqual([5, 2])
  for (const [, ...rows] of lines) expect(rows.join()).toContain('日本.mov')
})

test('files are searched, filtered, selected and opened with the keyboard alone', async () => {
  await at('/search')
  await expect.poll(names).toHaveLength(8)
  await tabTo(field)
  await person.type('b.mov')
  await person.key('Enter')
  await expect.poll(names).toEqual(['b.mov'])
  await tabTo('button[aria-expanded="false"]:not([aria-haspopup])')
  await person.key('Enter')
  await tabTo('input[placeholder="/folder"]')
  await person.type('/nowhere')
  await person.key('Enter')
  await person.see('No files found')
  await tabTo('[aria-label^="Remove Starting path"]')
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
  await person.see('0 files selected')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
