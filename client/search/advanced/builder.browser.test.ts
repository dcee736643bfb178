import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
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
