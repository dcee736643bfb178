import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { answerAt } from '#client/testing/answerAt.ts'
import { fieldTitles } from '#events/search/string-format/conditions.ts'
import { seeStringFormat, stringFormat } from '#client/testing/stringFormat.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)
const seeText = (text: string) => seeStringFormat(visit, text)
const at = (path: string) => visit.page.goto(`${visit.product.address}${path}`)
const criteria = () => JSON.parse(new URL(visit.page.url()).searchParams.get('criteria') ?? 'null')
const names = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
const scanned = async () => {
  const { answer } = await visit.product.call('GET', '/v1/volumes')
  return (answer as { total: number }).total
}
/** The nth of what has a name in the conditions, counted from 0. */
const nth = async (name: string, index: number) => {
  const all = await visit.page.$$(`[aria-label="Conditions"] [aria-label="${name}"]`)
  const found = all[index]
  if (!found) throw new Error(`There is no ${name} ${index}`)
  return found
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

test('text becomes the conditions, and says where it cannot be read', async () => {
  await expect.poll(scanned, { timeout: 120_000 }).toBe(1)
  await signInAt(visit, '/search')
  await at(`/search?criteria=${encodeURIComponent('[{"name":{"wildcard":"*.mov"}}]')}`)
  await seeText('Name matches "*.mov"')
  await person.see('2 files and folders')
  await person.writeAt(stringFormat, 'name is "d.txt" or (Size >= 3 KB and not Extension = mov')
  await person.key('Enter')
  await person.see('Character 20: This parenthesis is not closed.')
  expect(await look('search-advanced-text')).toEqual([])
  await visit.page.focus(stringFormat)
  await person.key('End')
  await person.type(')')
  await person.key('Enter')
  await seeText('Name is "d.txt" OR (Size is at least 3 KB AND NOT Extension is "mov")')
  await expect.poll(names).toEqual(['d.txt', 'c.wav'])
  expect(criteria().searchQueryNodes[0].searchQueries[0]).toEqual({ size: { min: 3_072 } })
})

test('what is changed is undone and done again, by keys and by buttons; a blank filter is left where all are removed', async () => {
  await person.press('Remove this group')
  await seeText('Name is "d.txt"')
  await person.press('Remove the condition of Name')
  await seeText('')
  await person.see('No condition is complete: everything matches.')
  await visit.page.keyboard.down('Control')
  await person.key('z')
  await seeText('Name is "d.txt"')
  await person.key('z')
  await seeText('Name is "d.txt" OR (Size is at least 3 KB AND NOT Extension is "mov")')
  await visit.page.keyboard.up('Control')
  await person.press('Redo')
  await seeText('Name is "d.txt"')
  await person.press('Undo')
  await expect.poll(names).toEqual(['d.txt', 'c.wav'])
})

test('a condition is moved into a group by keys, and keeps the focus', async () => {
  await (await nth('Move the condition of Name', 0)).focus()
  await visit.page.keyboard.down('Alt')
  await person.key('ArrowDown')
  await visit.page.keyboard.up('Alt')
  await seeText('(Name is "d.txt" AND Size is at least 3 KB AND NOT Extension is "mov")')
  expect(await visit.page.$eval(':focus', (focus) => focus.getAttribute('aria-label'))).toBe(
    'Move the condition of Name',
  )
  await person.see('Condition of Name moved to level 2, 1 of 3.')
})

const three = [{ name: { wildcard: '*.mov' } }, { size: { min: 1_024 } }, { extension: { value: 'mov' } }]
const threeAsText = 'Name matches "*.mov" AND Size is at least 1 KB AND Extension is "mov"'
const openThree = async () => {
  await at(`/search?criteria=${encodeURIComponent(JSON.stringify(three))}`)
  await seeText(threeAsText)
}
const focused = () => visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

test('a grip opens a menu by the keys, which moves its condition down and up, and has the focus again', async () => {
  await openThree()
  await visit.page.focus('aria/Move the condition of Name[role="button"]')
  await person.key('Enter')
  const items = () =>
    visit.page.$$eval('[role="menuitem"]', (items) => items.map((item) => item.textContent?.replace(/ ?Alt .*/, '')))
  await expect.poll(items).toEqual(['Move up', 'Move down'])
  expect(await look('search-advanced-grip')).toEqual([])
  const onItem = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '')
  await expect.poll(onItem).toContain('Move up')
  await person.key('ArrowDown')
  await expect.poll(onItem).toContain('Move down')
  await person.key('Enter')
  await seeText('Size is at least 1 KB AND Name matches "*.mov" AND Extension is "mov"')
  await person.see('Condition of Name moved to level 1, 2 of 3.')
  await expect.poll(focused).toBe('Move the condition of Name')
  await person.key('Enter')
  await expect.poll(items).toHaveLength(2)
  await person.key('Escape')
  await expect.poll(items).toEqual([])
  await expect.poll(focused).toBe('Move the condition of Name')
  await person.press('Move the condition of Name')
  await person.press('Move up', 'menuitem')
  await seeText(threeAsText)
})

/** Where something is on the page: its middle, or so far below its top. */
async function placeOf(selector: string, share = 0.5) {
  const box = await (await visit.page.waitForSelector(selector))?.boundingBox()
  if (!box) throw new Error(`${selector} is not to be seen`)
  return { x: box.x + box.width / 2, y: box.y + box.height * share }
}

test('a condition is dragged below another one and above it, and a mark says where it would fall', async () => {
  await openThree()
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
  await seeText('Size is at least 1 KB AND Extension is "mov" AND Name matches "*.mov"')
  await expect.poll(criteria).toMatchObject({ searchQueries: [three[1], three[2], three[0]] })
  expect(await dragTo(0.2)).toBe('before')
  await seeText('Size is at least 1 KB AND Name matches "*.mov" AND Extension is "mov"')
  expect(await visit.page.$('[data-drop="before"], [data-drop="after"]')).toBeNull()
})

const offeredFields = () =>
  visit.page.$eval('[aria-label="Field"]', (select) =>
    [...(select as HTMLSelectElement).options].map(({ text, parentElement }) =>
      parentElement instanceof HTMLOptGroupElement ? `${parentElement.label}: ${text}` : text,
    ),
  )

test('the keys of metadata that the server tells are fields of a text', async () => {
  const types = { name: 'string', 'metadata.camera': 'string', 'metadata.white balance': 'string' }
  await answerAt(visit, /metadata\/mapping/, { status: 200, body: JSON.stringify(types) })
  await openThree()
  await expect
    .poll(offeredFields)
    .toEqual([...Object.values(fieldTitles), 'Metadata: camera', 'Metadata: white balance'])
  await person.choose('Field', 'white balance')
  await person.choose('Operator', 'Is')
  await person.write('Value', '5600')
  await seeText('"metadata.white balance" is "5600" AND Size is at least 1 KB AND Extension is "mov"')
  await expect.poll(() => criteria().searchQueries[0]).toEqual({ 'metadata.white balance': { value: '5600' } })
  expect(await look('search-advanced-metadata')).toEqual([])
})

test('without the answer of the server the built-in fields are offered, and it is asked again', async () => {
  await answerAt(visit, /metadata\/mapping/, { status: 500, body: '{"message":"The store is away"}' })
  await openThree()
  await person.see('The fields of metadata could not be read: the built-in ones are offered.')
  expect(await offeredFields()).toEqual(Object.values(fieldTitles))
  expect(await look('search-advanced-no-metadata')).toEqual([])
  await person.choose('Field', 'Owner')
  await seeText('Size is at least 1 KB AND Extension is "mov"')
})

test('each type has a field of its own; a new field begins with the first operator, and a storage that is gone is invalid', async () => {
  await at(`/search?criteria=${encodeURIComponent('[{"name":{"wildcard":"*"}},{"volumeId":{"values":[1,99]}}]')}`)
  await seeText('Name matches "*" AND Storage Types is one of "Films", Invalid 99')
  await person.see('Invalid (99)')
  expect(await look('search-advanced-invalid')).toEqual([])
  await person.press('Remove the condition of Storage Types')
  await person.choose('Field', 'Size')
  await person.write('Value', '3')
  await person.choose('Unit', 'KB')
  await seeText('Size is at least 3 KB')
  await person.choose('Operator', 'Is One of')
  await person.choose('Field', 'Extension')
  await person.choose('Operator', 'Is One of')
  await person.write('Value', '.mov, .w av')
  await seeText('Extension is one of "mov", "wav"')
  await expect.poll(names).toEqual(['c.wav', 'b.mov', 'a.mov'])
  await person.choose('Field', 'Last modified')
  await person.write('Value: After', '2020-01-01')
  await person.key('Enter')
  await seeText('Last modified is on or after 2020-01-01')
  expect(await look('search-advanced-date')).toEqual([])
  await person.press('Clear the date')
  await seeText('')
  await person.see('No condition is complete: everything matches.')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
