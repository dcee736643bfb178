import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const section = '#quantum-stornext'
const table = 'table[aria-label="Quantum StorNext Storage Path Configurations"]'

beforeAll(async () => {
  const { product, scratch } = visit
  const book = await product.call('POST', '/v1/storage-prices', { description: 'Disk', currencySymbol: '$', price: 1 })
  const storagePrice = { id: (book.answer as { id: number }).id }
  for (const name of ['render-denver', 'archive-vault']) await product.call('POST', '/servers', { name })
  await product.call('POST', '/volumeSettings', { name: 'Films', path: scratch, storagePrice })
})

test('credentials for Quantum StorNext are added', async () => {
  const { press, pressAt, write, writeAt, see, closed } = hands(visit)
  await signInAt(visit, '/settings/data')
  await press('Quantum StorNext Integration')
  await pressAt(`${section} button::-p-text(Add credentials)`)
  await write('Name', 'Studio')
  await write('Host', 'mdc1.example.com')
  await write('Username', 'ws')
  await writeAt('[role="dialog"] input[type="password"]', 'planted-PASSWORD-5510')
  expect(await look(visit, 'stornext-credentials')).toEqual([])
  await pressAt('[role="dialog"] button[type="submit"]')
  await see('Quantum StorNext credentials was created successfully')
  await closed()
})

test('the paths of a storage are mapped, and tried before they are saved', async () => {
  const { press, pressAt, choose, write, see, closed } = hands(visit)
  const { scratch, page } = visit
  await pressAt(`${section} button::-p-text(Add path configuration)`)
  await choose('File Storage', 'Films')
  await choose('Quantum StorNext Credentials', 'Studio')
  await write('DataIntell Path', '/elsewhere')
  await write('Quantum StorNext Path', '/stornext/snfs1')
  await write('Try a path', '/elsewhere/a/reel.mov')
  await see('Quantum StorNext: /stornext/snfs1/a/reel.mov')
  await pressAt('[role="dialog"] summary')
  await see('DataIntell and Quantum StorNext see the same folder under different paths.')
  expect(await look(visit, 'stornext-mapping')).toEqual([])
  await press('Save configuration')
  await see(`DataIntell Path must be ${scratch} or below it`)
  await write('DataIntell Path', scratch)
  await press('Save configuration')
  await see('Quantum StorNext storage path configuration was created successfully')
  await closed()
  const rows = () => page.$eval(`${table} tbody`, (body) => body.innerText)
  await expect.poll(rows).toMatch(/Films\s+Studio\s+.*\s+\/stornext\/snfs1/)
  expect(await look(visit, 'stornext')).toEqual([])
})

test('Iconik and transfers are set up below', async () => {
  const { press, pressAt, write, writeAt, see, closed } = hands(visit)
  const show = (selector: string) => visit.page.$eval(selector, (section) => section.scrollIntoView())
  await press('Quantum StorNext Integration')
  await press('Iconik Integration')
  await see('Iconik integration is not configured properly.')
  await press('Edit configurations')
  await write('Application ID', '9d2b7a1c-application')
  await press('Save configurations')
  await closed()
  await press('Change application token')
  await writeAt('[role="dialog"] input[type="password"]', 'planted-TOKEN-1184')
  await press('Save application token')
  await closed()
  await pressAt('#iconik input[type="checkbox"]:not(:disabled)')
  await see('The configurations were updated.')
  await show('#iconik')
  expect(await look(visit, 'iconik')).toEqual([])
  await press('Iconik Integration')
  await press('SODA Integration')
  await press('Edit configurations')
  await write('URL', 'https://studio.api.cloudsoda.io')
  await write('Client ID', 'dataintell')
  await press('Save configurations')
  await closed()
  await show('#soda')
  expect(await look(visit, 'soda')).toEqual([])
})

test('logs no browser errors', () => {
  // The browser reports the refused path on its own.
  expect(visit.complaints.filter((complaint) => !/status of 400/.test(complaint))).toEqual([])
})
