import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { scan } from '../../testing/scan.ts'
import { hands, look as lookAt, signInAt, testVisit } from '../../testing.ts'

const db = await testDb()
const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>
beforeAll(() => {
  page = visit.page
  person = hands(visit)
})

const look = (name: string) => lookAt(visit, name)
const table = () => page.$eval('table[aria-label="Files"] tbody', (body) => body.innerText).catch(() => '')
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
/** Opens the section; a column of the file storages has the same name. */
const unfold = () => person.pressAt('#price-book [aria-expanded]')

const ofNew = (field: string) => `${field} of the new price book`
const ofCold = (field: string) => `${field} of Cold`

test('the section begins closed and empty, and refuses what is no price book', async () => {
  await signInAt(visit, '/settings/data')
  await unfold()
  await person.see('No price book yet.')
  expect(await look('price-books-empty')).toEqual([])
  await person.press('Add new price book')
  expect(await focused()).toBe(ofNew('Name'))
  await person.key('Enter')
  await person.see('Description must not be blank')
  await person.see('Currency symbol must not be blank')
  await person.see('Price must be a positive number')
  expect(await look('price-books-refused')).toEqual([])
  await person.key('Escape')
  await expect.poll(focused).toBe('Add new price book')
})

async function add(name: string, symbol: string, price: string) {
  await person.press('Add new price book')
  await person.write(ofNew('Name'), name)
  await person.write(ofNew('Currency Symbol'), symbol)
  await person.write(ofNew('Storage Price (GB/Year)'), price)
  await person.key('Enter')
}

test('a price book is added, with a name of its own', async () => {
  await add('Cold', '$', '12')
  await person.see('Storage price was created successfully')
  await expect.poll(table).toMatch(/Cold\s+\$\s+\$ 12\.00/)
  await add('COLD', '€', '1')
  await person.see('Description must be unique')
  await person.write(ofNew('Name'), 'Tape')
  await person.key('Enter')
  await expect.poll(table).toMatch(/Tape\s+€\s+€ 1\.00/)
})

test('it is changed in its row: Escape leaves it, Enter saves it, and its prices can be looked at', async () => {
  await person.press('Edit Cold')
  expect(await focused()).toBe(ofCold('Name'))
  await person.write(ofCold('Storage Price (GB/Year)'), '-1')
  await person.key('Enter')
  await person.see('Price must be a positive number')
  expect(await look('price-books-editing')).toEqual([])
  await person.key('Escape')
  await expect.poll(focused).toBe('Edit Cold')
  await expect.poll(table).toMatch(/\$ 12\.00/)
  await person.press('Edit Cold')
  await person.write(ofCold('Storage Price (GB/Year)'), '24')
  await person.key('Enter')
  await person.see('Storage price with id [1] was updated successfully')
  await expect.poll(table).toMatch(/\$ 24\.00/)
  await person.press('Prices of Cold')
  await person.see(/All dates\s+\$ 24\.00/)
  expect(await look('price-books-prices')).toEqual([])
  await person.press('Prices of Cold')
})

const ofClasses = (input: string) => `${ofCold('Storage Class Prices')}: ${input}`

test('storage classes have prices of their own, each on a line of the row', async () => {
  await person.press('Edit Cold')
  await person.press('Add storage class')
  expect(await focused()).toBe(ofClasses('class 1'))
  await person.write(ofClasses('class 1'), 'GLACIER')
  await person.key('Enter')
  await person.see('Price of GLACIER must be a positive number')
  await person.write(ofClasses('price 1'), '3.6')
  await person.press('Add storage class')
  await person.write(ofClasses('class 2'), 'glacier')
  await person.write(ofClasses('price 2'), '1')
  await person.key('Enter')
  await person.see('Storage class 2 must be unique')
  expect(await look('price-books-classes')).toEqual([])
  await person.press(`Remove class 2 of ${ofCold('Storage Class Prices')}`)
  await person.press('Save Cold')
  await expect.poll(table).toMatch(/\$ 24\.00\s+1 storage class apart/)
  await person.press('Prices of Cold')
  await person.see(/All dates\s+\$ 24\.00\s+GLACIER \$ 3\.60/)
  await person.press('Prices of Cold')
})

test('what storages cost is seen in files, in search and on the dashboard; without a price book there is a dash', async () => {
  const films = join(visit.scratch, 'films')
  const attic = join(visit.scratch, 'attic')
  for (const folder of [films, attic]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'take.mov'), 'x')
    // Sparse: as large as it says, and nothing on the disk.
    truncateSync(join(folder, 'take.mov'), 2 ** 30)
  }
  const storagePrice = { id: 1 }
  const id = await visit.product.addStorage({ name: 'Films', path: films, storagePrice })
  await visit.product.addStorage({ name: 'Attic', path: attic, storagePrice })
  // As one that was set up before price books were asked for.
  await db
    .deleteFrom('volumePriceChanges')
    .where('volumeId', '=', id + 1)
    .execute()
  await db
    .updateTable('volumes')
    .set({ storagePriceId: null })
    .where('id', '=', id + 1)
    .execute()
  await scan(visit, id, id + 1)
  await page.goto(`${visit.product.address}/filemanagement?volumeId=${id}`)
  await person.choose('Last column', 'Monthly Cost')
  await person.see('$ 2.00')
  await person.see('$ 2.00 per month')
  expect(await look('costs-files')).toEqual([])
  await page.goto(`${visit.product.address}/filemanagement?volumeId=${id + 1}`)
  await page.waitForSelector('[role="treegrid"] [title="No price book"]')
  await page.goto(`${visit.product.address}/search?activeTab=2`)
  await person.see('$ 2.00 per month')
  await person.see('No price book: Attic')
  await person.choose('Period of the storage cost', 'Yearly')
  await person.see('$ 24.00 per year')
  await page.$eval('[aria-label="Period of the storage cost"]', (choice) => choice.scrollIntoView({ block: 'center' }))
  expect(await look('costs-search')).toEqual([])
  await page.goto(`${visit.product.address}/`)
  await page.waitForSelector('table [title="No price book"]')
  await person.see('$ 2.00')
  expect(await look('costs-dashboard')).toEqual([])
})

test('it stays while a storage uses it, and is deleted after a question', async () => {
  await page.goto(`${visit.product.address}/settings/data`)
  await unfold()
  await person.press('Delete Cold')
  await person.see('Are you sure you want to delete price book Cold?')
  await person.press('Delete price book')
  await person.see('Price book Cold is used by Films. Assign another price book to each first.')
  await person.closed()
  await person.press('Delete Tape')
  await person.press('Delete price book')
  await person.see('Storage price with id [2] was deleted successfully')
  await expect.poll(table).not.toMatch(/Tape/)
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
