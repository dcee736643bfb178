import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { seeStringFormat, stringFormat } from '#client/testing/stringFormat.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const seeText = (text: string) => seeStringFormat(visit, text)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
const criteria = () => JSON.parse(new URL(visit.page.url()).searchParams.get('criteria') ?? 'null')
const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))

beforeAll(async () => {
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  for (const [index, name] of ['a.mov', 'b.mov', 'c.wav', 'd.txt'].entries())
    writeFileSync(join(films, name), 'x'.repeat(1_024 * (index + 1)))
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
})

const three = [{ name: { wildcard: '*.mov' } }, { size: { min: 1_024 } }, { extension: { value: 'mov' } }]
const threeAsText = 'Name matches "*.mov" AND Size is at least 1 KiB AND Extension is "mov"'
const focused = () => visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

test('a grip opens a menu by the keys, which moves its condition down and up, and has the focus again', async () => {
  await signInAt(visit, '/search')
  await at(`/search?criteria=${encodeURIComponent(JSON.stringify(three))}`)
  await seeText(threeAsText)
  await visit.page.focus('aria/Move the condition of Name[role="button"]')
  await person.key('Enter')
  const items = () =>
    visit.page.$$eval('[role="menuitem"]', (items) => items.map((item) => item.textContent?.replace(/ ?Alt .*/, '')))
  await expect.poll(items).toEqual(['Move up', 'Move down'])
  expect(await look(visit, 'search-advanced')).toEqual([])
  const onItem = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')
  await expect.poll(onItem).toContain('Move up')
  await person.key('ArrowDown')
  await expect.poll(onItem).toContain('Move down')
  await person.key('Enter')
  await seeText('Size is at least 1 KiB AND Name matches "*.mov" AND Extension is "mov"')
  await person.see('Condition of Name moved to level 1, 2 of 3.')
  await expect.poll(focused).toBe('Move the condition of Name')
  await person.key('Enter')
  await expect.poll(onItem).toContain('Move up')
  await person.key('Escape')
  await expect.poll(items).toEqual([])
  await expect.poll(focused).toBe('Move the condition of Name')
  await person.press('Move the condition of Name')
  await person.press('Move up', 'menuitem')
  await seeText(threeAsText)
})

/** Position of an element: its center, or a share of its height below its top. */
async function placeOf(selector: string, share = 0.5) {
  const box = await (await visit.page.waitForSelector(selector))?.boundingBox()
  if (!box) throw new Error(`${selector} is not to be seen`)
  return { x: box.x + box.width / 2, y: box.y + box.height * share }
}

test('a condition is dragged below another one and above it, and a mark says where it would fall', async () => {
  const { mouse } = visit.page
  const dragTo = async (share: number) => {
    const from = await placeOf('[aria-label="Move the condition of Name"]')
    const row = '[data-item]:not(fieldset):has([aria-label="Move the condition of Extension"])'
    const to = await placeOf(row, share)
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move(from.x + 5, from.y + 5, { steps: 3 })
    await mouse.move(to.x, to.y, { steps: 5 })
    const mark = await visit.page.waitForSelector(`${row}[data-drop]`)
    const side = await mark?.evaluate((node) => (node as HTMLElement).dataset['drop'])
    await mouse.up()
    return side
  }
  expect(await dragTo(0.8)).toBe('after')
  await seeText('Size is at least 1 KiB AND Extension is "mov" AND Name matches "*.mov"')
  await expect.poll(criteria).toMatchObject({ searchQueries: [three[1], three[2], three[0]] })
  expect(await dragTo(0.2)).toBe('before')
  await seeText('Size is at least 1 KiB AND Name matches "*.mov" AND Extension is "mov"')
  expect(await visit.page.$('[data-drop="before"], [data-drop="after"]')).toBeNull()
})

test('text becomes conditions that find files, and the cursor is where it cannot be read', async () => {
  await person.see('2 files and folders')
  await person.writeAt(stringFormat, 'name is "d.txt" or (Size >= 3 KB and not Extension = mov')
  await person.key('Enter')
  await person.see('Character 20: This parenthesis is not closed.')
  expect(await visit.page.$eval(stringFormat, (field) => (field as HTMLTextAreaElement).selectionStart)).toBe(19)
  await person.key('End')
  await person.type(')')
  await person.key('Enter')
  await seeText('Name is "d.txt" OR (Size is at least 3 KiB AND NOT Extension is "mov")')
  await expect.poll(names).toEqual(['d.txt', 'c.wav'])
})

test('a condition is moved into a group by keys, and keeps the focus', async () => {
  await visit.page.focus('[aria-label="Move the condition of Name"]')
  await visit.page.keyboard.down('Alt')
  await person.key('ArrowDown')
  await visit.page.keyboard.up('Alt')
  await seeText('(Name is "d.txt" AND Size is at least 3 KiB AND NOT Extension is "mov")')
  expect(await visit.page.$eval(':focus', (focus) => focus.getAttribute('aria-label'))).toBe(
    'Move the condition of Name',
  )
  await person.see('Condition of Name moved to level 2, 1 of 3.')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
