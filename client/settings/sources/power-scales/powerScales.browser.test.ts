import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()

beforeAll(async () => {
  const book = { description: 'Tier 1', currencySymbol: '$', price: 0.3 }
  await visit.product.call('POST', '/v1/storage-prices', book)
})

/** The text of the table; a long path may be shown in two parts. */
const table = async () => {
  const text = await visit.page.$eval('table[aria-label="Dell PowerScale storages"] tbody', (body) => body.innerText)
  return text.replaceAll(/\s+/g, '')
}
const section = '#dell-powerscale'

test('a folder of a cluster is added with new credentials, changed and offered for a delta scan, by mouse', async () => {
  const { press, pressAt, choose, write, writeAt, see, closed } = hands(visit)
  await signInAt(visit, '/settings/data')
  await pressAt(`${section} button ::-p-text(Add credentials)`)
  await write('Name', 'Cluster')
  await write('Username', 'scan')
  await writeAt('[role="dialog"] input[type="password"]', 'planted-PASSWORD-2204')
  await pressAt('[role="dialog"] button[type="submit"]')
  await see('Dell PowerScale credentials was created successfully')
  await closed()
  await press('Add Dell PowerScale storage')
  await write('Host', 'isilon.example.com')
  await write('Name', 'Renders')
  await write('Path', '/ifs/renders')
  await choose('Credentials', 'Cluster')
  await choose('Price Book', 'Tier 1')
  expect(await look(visit, 'power-scale-dialog')).toEqual([])
  await press('Add storage')
  await see('Renders was added')
  await closed()
  await expect.poll(table).toMatch(/Renders\/ifs\/renders.*agent.*Tier1None/i)
  await press('Edit Renders')
  await write('Path', '/ifs/renders/2026')
  await press('Save storage')
  await see('Renders was updated')
  await closed()
  await expect.poll(table).toMatch('/ifs/renders/2026')
  await press('Scan Renders')
  await see('Dell PowerScale storages: 1 of 1 storage selected')
  await see('A delta scan needs it')
  await press('Cancel')
  await closed()
  expect(await look(visit, 'power-scales')).toEqual([])
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
