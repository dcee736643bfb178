import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scan } from '../../testing/scan.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

const visit = await testVisit()
const table = () => visit.page.$eval('table[aria-label="Files"] tbody', (body) => body.innerText).catch(() => '')
const focused = () =>
  visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

test('a price book is added by keyboard, and changed by mouse', async () => {
  const { press, write, see, type, key, enter } = hands(visit)
  await signInAt(visit, '/settings/data')
  await enter('Add new price book')
  await expect.poll(focused).toBe('Name of the new price book')
  await key('Escape')
  await expect.poll(focused).toBe('Add new price book')
  await key('Enter')
  await type('Cold')
  await key('Tab')
  await type('$')
  await key('Tab')
  await type('12')
  await key('Enter')
  await expect.poll(table).toMatch(/Cold\s+\$\s+\$12\.00/)
  await press('Edit Cold')
  await expect.poll(focused).toBe('Name of Cold')
  await key('Escape')
  await expect.poll(focused).toBe('Edit Cold')
  await press('Edit Cold')
  await write('Storage Price (GB/Year) of Cold', '24')
  await press('Add storage class')
  await expect.poll(focused).toBe('Storage Class Prices of Cold: class 1')
  await type('GLACIER')
  await key('Tab')
  await type('3.6')
  expect(await look(visit, 'price-books-classes')).toEqual([])
  await press('Save Cold')
  await expect.poll(table).toMatch(/\$24\.00\s+1 storage class priced separately/)
  await press('Prices of Cold')
  await see(/All dates\s+\S+, \d{4}-\d\d-\d\d \d\d:\d\d\s+\$24\.00\s+GLACIER \$3\.60/)
  expect(await look(visit, 'price-books-history')).toEqual([])
})

test('a storage costs what its price book says', async () => {
  const { choose, see } = hands(visit)
  const { page, product } = visit
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  writeFileSync(join(films, 'take.mov'), 'x')
  // Sparse: its size is 1 GiB, but it uses no disk space.
  truncateSync(join(films, 'take.mov'), 2 ** 30)
  const id = await product.addStorage({ name: 'Films', path: films, storagePrice: { id: 1 }, sizeBasis: 'apparent' })
  await scan(visit, id)
  await page.goto(`${product.address}/filemanagement?volumeId=${id}`)
  await choose('Last column', 'Monthly Cost')
  await page.waitForSelector('[role="treegrid"] [title^="$2.00 per month, by Cold"]')
  await see('$2.00 per month')
  expect(await look(visit, 'costs-files')).toEqual([])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
