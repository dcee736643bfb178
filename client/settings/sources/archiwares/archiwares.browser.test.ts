import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillIndex, startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let p5: Awaited<ReturnType<typeof startArchiware>>
afterAll(() => p5.close())

beforeAll(async () => {
  p5 = await startArchiware()
  fillIndex(p5.addIndex('Media'), 200)
  const { product, scratch } = visit
  const book = await product.call('POST', '/v1/storage-prices', { description: 'Tape', currencySymbol: '$', price: 1 })
  const storagePrice = { id: (book.answer as { id: number }).id }
  await product.call('POST', '/volumeSettings', { name: 'Films', path: scratch, storagePrice })
})

const table = () =>
  visit.page.$eval('table[aria-label="Individual Storage Path Configurations"] tbody', (body) => body.innerText)

test('an unreachable server is reported in the wizard, after its credentials were created', async () => {
  const { press, pressAt, write, writeAt, see, isDisabled } = hands(visit)
  await signInAt(visit, '/settings/data')
  await press('Add a new storage type')
  await pressAt('[role="dialog"] button ::-p-text(Archiware P5 Index)')
  await press('New credentials')
  await write('Name', 'Tapes')
  await write('Username', 'p5')
  await writeAt('[role="dialog"] input[type="password"]', 'planted-PASSWORD-2205')
  await writeAt('[role="dialog"] input[type="url"]', 'http://127.0.0.1:9')
  await press('Create credentials')
  await see('Archiware P5 credentials was created successfully')
  await press('Next')
  await see('The host 127.0.0.1 refused the connection')
  expect(await look(visit, 'wizard-archiware-refused')).toEqual([])
  await press('Continue anyway')
  await see("Something went wrong, please check the inputs in the previous step to see if they're correct")
  expect(await isDisabled('Next')).toBe(true)
  expect(await look(visit, 'wizard-archiware')).toEqual([])
  await press('Back')
  await press('Cancel')
  await see('No storage was added, and 1 new credential would remain unused.')
  await press('Keep them')
})

test('an index is added, and scanned with the dates of its backups', async () => {
  const { press, pressAt, choose, write, see } = hands(visit)
  const { product } = visit
  const connection = { url: p5.url, username: p5.user, password: p5.password }
  await product.call('POST', '/v1/archiwares/credentials', { name: 'Studio tapes', ...connection })
  await press('Add a new storage type')
  await pressAt('[role="dialog"] button ::-p-text(Archiware P5 Index)')
  await choose('Credentials', 'Studio tapes')
  await press('Next')
  await choose('Archiware Index', 'Media')
  await write('Path', '/')
  await press('Next')
  await choose('Price Book', 'Tape')
  await press('Next')
  await see(/Studio tapes[^]*Media/)
  expect(await look(visit, 'wizard-archiware-review')).toEqual([])
  await press('Next')
  await press('Save')
  await see('Media was added')
  type Volume = { name: string; type: string; numberOfFiles: number }
  const scanned = async () => ((await product.call('GET', '/v1/volumes')).answer as { elements: Volume[] }).elements
  const index = [...(p5.indexes.get('Media')?.entries() ?? [])]
  const files = index.filter(({ children }) => !children).length
  await expect.poll(scanned).toMatchObject([{ name: 'Media', type: 'Archiware', numberOfFiles: files }])
  type Results = { elements: { path: string; backupDate: string | null }[] }
  const found = (await product.call('GET', '/files/search?size=5')).answer as Results
  expect(found.elements.every(({ backupDate }) => backupDate !== null)).toBe(true)
})

test('paths of a storage are mapped, and tried while they are written', async () => {
  const { press, choose, write, see, closed } = hands(visit)
  const { scratch } = visit
  await press('Archiware P5 Integration')
  await press('Add path configuration')
  await choose('File Storage', 'Films')
  await write('DataIntell Path', scratch)
  await write('Archiware P5 Path', '/Volumes/Films')
  await write('Try a path', `${scratch}/a/reel.mov`)
  await see('Archiware P5: /Volumes/Films/a/reel.mov')
  expect(await look(visit, 'path-mapping')).toEqual([])
  await press('Save configuration')
  await see('File Storage path configuration was created successfully')
  await closed()
  await expect.poll(table).toMatch(/Films\s+.*\s+\/Volumes\/Films/)
  await press('Add global configuration')
  await write('DataIntell Path', '/mnt')
  await write('Archiware P5 Path', '/net')
  await press('Save configuration')
  await see('Global path configuration was created successfully')
  await closed()
  expect(await look(visit, 'archiwares')).toEqual([])
})

test('logs no other browser errors', () => {
  // The browser reports the failed list of indexes on its own.
  expect(visit.complaints.filter((complaint) => !/status of 502/.test(complaint))).toEqual([])
})
