import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { madeUpObjects } from '#agent/testing/madeUpStore.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const account = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }
const visit = await testVisit()
let store: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  store = await startSimulator({ accounts: [account], buckets: { films: { objects: objectsOf(madeUpObjects(60)) } } })
})
afterAll(() => store.close())

const table = () => visit.page.$eval('table[aria-label="Buckets"] tbody', (body) => body.innerText)
const focused = () =>
  visit.page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent)

test('a bucket is added with new credentials, by mouse and keyboard', async () => {
  const { press, pressAt, choose, write, see, type, key } = hands(visit)
  const { page } = visit
  await signInAt(visit, '/storages/settings')
  await press('Object Storage')
  await press('Add storage')
  await pressAt('[role="dialog"] button ::-p-text(Amazon S3)')
  await choose('Cloud', 'Custom S3')
  await press('New credentials')
  await choose('Type', 'Custom S3')
  await write('Name', 'Studio')
  await write('URL', store.url)
  const [accessKey, secretKey] = await page.$$('input[type="password"]')
  await accessKey!.type(account.accessKey)
  await secretKey!.type(account.secretKey)
  await key('Enter')
  await see('Object Storage credentials was created successfully')
  await press('Next')
  // The wizard focuses the first field of a step, and Enter leads to the next step.
  await expect.poll(focused).toBe('Bucket Name')
  const name = () => page.$eval('aria/Bucket Name[role="combobox"]', (field) => (field as HTMLInputElement).value)
  await expect.poll(name).toBe('films')
  await pressAt('summary ::-p-text(Scan options)')
  expect(await look(visit, 'wizard-bucket')).toEqual([])
  await write('DataIntell Name', 'Films in the cloud')
  await key('Enter')
  await press('New price book')
  await expect.poll(focused).toBe('Name')
  await type('Cloud')
  await key('Tab')
  await type('$')
  await key('Tab')
  await type('4000000000')
  await press('Add storage class')
  await type('GLACIER')
  await key('Tab')
  await type('1000000000')
  await key('Enter')
  await press('Next')
  await see(/Films in the cloud[^]*Cloud/)
  await press('Next')
  await press('Save')
  // It replaces the message that the storage was added, often before that can be seen.
  await see('Scanner for the job(s) is now running')
  await expect.poll(table).toMatch(/Films in the cloud\s+No schedule or alert\s+films\s+-\s+Custom S3\s+Cloud/)
  expect(await look(visit, 'buckets')).toEqual([])
})

test('the new bucket is scanned, and each storage class costs what its own price says', async () => {
  const { see } = hands(visit)
  const { page, product } = visit
  const scanned = async () =>
    ((await product.call('GET', '/v1/volumes')).answer as { elements: { id: number }[] }).elements
  await expect.poll(scanned).toMatchObject([{ name: 'Films in the cloud', type: 'OTHER', numberOfFiles: 60 }])
  const [{ id } = { id: 0 }] = await scanned()
  await page.goto(`${product.address}/volumes/${id}`)
  await see('Storage Classes')
  await see(/per GiB per year, averaged across storage classes/)
  const facts = await page.$$eval('dt', (terms) => terms.map((term) => term.innerText))
  expect(facts).toEqual(expect.arrayContaining(['GLACIER', 'STANDARD']))
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
