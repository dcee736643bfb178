import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { madeUpObjects } from '#agent/testing/madeUpStore.ts'
import { startDropbox } from '#server/sources/buckets/testing.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const account = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }
const dropbox = await startDropbox({ code: 'planted-CODE', token: 'planted-TOKEN' })
const visit = await testVisit({ environment: { DROPBOX_APP_KEY: 'appkey12', DROPBOX_API: dropbox.url } })
let person: ReturnType<typeof hands>
let page: typeof visit.page
let store: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  const buckets = {
    films: { objects: objectsOf(madeUpObjects(500)) },
    rushes: { objects: objectsOf(madeUpObjects(100)) },
  }
  store = await startSimulator({ accounts: [account], buckets })
  page = visit.page
  person = hands(visit)
})
afterAll(() => Promise.all([store.close(), dropbox.close()]))

const look = (name: string) => lookAt(visit, name)
const table = (label: string) => page.$eval(`table[aria-label="${label}"] tbody`, (body) => body.innerText)
const selected = (label: string) =>
  page.$eval(`aria/${label}[role="combobox"]`, (select) => (select as HTMLSelectElement).selectedOptions[0]?.text)

test('an object storage is one kind to choose, and asks for its provider first', async () => {
  await signInAt(visit, '/settings/data')
  await person.see('No bucket is set up yet.')
  expect(await look('buckets-empty')).toEqual([])
  await person.press('Add a new storage type')
  await person.pressAt('[role="dialog"] button ::-p-text(Cloud provider service)')
  await person.see('Configure Cloud Credentials')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.choose('Cloud', 'Backblaze B2')
  await person.see('Buckets created before May 4th, 2020 are not compatible.')
  await person.choose('Cloud', 'Oracle Object Storage')
  await person.see('Namespace')
  expect(await look('wizard-provider')).toEqual([])
  const icon = () => page.$eval('[role="dialog"] [data-provider]', (drawn) => drawn.getAttribute('data-provider'))
  expect(await icon()).toBe('ORACLE_OBJECT_STORAGE')
  await person.choose('Cloud', 'Custom S3')
  await person.seeNo('Namespace')
  expect(await icon()).toBe('OTHER')
})

test('credentials are made on the way, and refused in the words of the specification', async () => {
  await person.press('New credentials')
  await person.press('Create credentials')
  await person.see('Name must be between 1 and 255 characters')
  await person.see('Access key ID must be between 1 and 10000 characters')
  await person.see('Secret access key must be between 1 and 255 characters')
  await person.choose('Type', 'Custom S3')
  await person.press('Create credentials')
  await person.see('URL must be between 1 and 255 characters')
  expect(await look('wizard-bucket-credentials')).toEqual([])
  await person.write('Name', 'Studio')
  await person.write('URL', store.url)
  const [accessKey, secretKey] = await page.$$('input[type="password"]')
  await accessKey!.type(account.accessKey)
  await secretKey!.type(account.secretKey)
  await person.press('Create credentials')
  await person.see('Object Storage credentials was created successfully')
  await expect.poll(() => selected('Credentials')).toBe('Studio')
})

test('the first bucket that the credentials list is offered, and another one may be typed', async () => {
  await person.press('Next')
  const value = (label: string) => page.$eval(`aria/${label}`, (field) => (field as HTMLInputElement).value)
  await expect.poll(() => value('Bucket Name')).toBe('films')
  expect(await value('DataIntell Name')).toBe('films')
  await person.pressAt('summary ::-p-text(Advanced)')
  await person.write('Requests per second', '0')
  await person.write('DataIntell Name', 'Films in the cloud')
  await person.see('Requests per second must be a whole number from 1 to 10000')
  await person.write('Requests per second', '500')
  await person.press('Count old versions and unfinished uploads', 'checkbox')
  await person.write('S3 Inventory', 'daily')
  await person.write('DataIntell Name', 'Films in the cloud')
  await person.see('S3 Inventory must be like s3://reports/inventory/films/daily')
  await person.write('S3 Inventory', '')
  expect(await look('wizard-bucket')).toEqual([])
  await person.press('Next')
  await person.press('New price book')
  await person.write('Name', 'Cloud')
  await person.write('Currency Symbol', '$')
  await person.write('Storage Price (GB/Year)', '0.3')
  await person.press('Add price book')
  await person.press('Next')
  await person.see('Films in the cloud')
  await person.see('Counted, with unfinished uploads')
  expect(await look('wizard-bucket-review')).toEqual([])
  await person.press('Next')
  await person.press('Save')
  await person.see('Films in the cloud was added')
  await expect.poll(() => table('Buckets')).toMatch(/Films in the cloud\s+films\s+-\s+Custom S3\s+Cloud/)
  expect(await look('buckets')).toEqual([])
})

test('it is scanned at once, and found by its name and its kind', async () => {
  await visit.page.goto(visit.product.address)
  await person.see('Object Storage Sizes')
  await person.see('Films in the cloud')
  const { answer } = await visit.product.call('GET', '/v1/volumes')
  expect(answer).toMatchObject({ elements: [{ name: 'Films in the cloud', type: 'OTHER', numberOfFiles: 500 }] })
})

test('what it has in each storage class is drawn, and costs what its class does', async () => {
  const { answer } = await visit.product.call('GET', '/v1/volumes')
  const [{ id }] = (answer as { elements: [{ id: number }] }).elements
  const classPrices = [{ storageClass: 'GLACIER', price: 1e9 }]
  const priceBook = { description: 'Cloud', currencySymbol: '$', price: 4e9, classPrices }
  await visit.product.call('PUT', '/v1/storage-prices/1', { id: 1, ...priceBook })
  await page.goto(`${visit.product.address}/volumes/${id}`)
  await person.see('Storage Classes')
  await person.see(/per GB and year on average over its storage classes/)
  const facts = await page.$$eval('dt', (terms) => terms.map((term) => term.innerText))
  expect(facts).toEqual(expect.arrayContaining(['GLACIER', 'STANDARD']))
  expect(await look('bucket-classes')).toEqual([])
  await page.goto(`${visit.product.address}/filemanagement?volumeId=${id}&path=/`)
  await person.see('Storage Classes')
  await person.choose('Last column', 'Monthly Cost')
  await person.see(/about \$ /)
})

/** Opens the wizard at a provider, and its form for credentials. */
async function begin(cloud: string) {
  await visit.page.goto(`${visit.product.address}/settings/data`)
  await person.press('Add a new storage type')
  await person.pressAt('[role="dialog"] button ::-p-text(Cloud provider service)')
  await person.choose('Cloud', cloud)
  await expect.poll(() => page.$('aria/Region[role="combobox"]')).toBeNull()
  await person.press('New credentials')
  await person.choose('Type', cloud)
}
/** Goes on from the second step to the end, with the first price book. */
async function finish() {
  await person.press('Next')
  await person.choose('Price Book', 'Cloud')
  await person.press('Next')
  await person.press('Next')
  await person.press('Save')
  await person.see('Bucket created, but it cannot be scanned')
}
const writeSecret = (text: string) => person.writeAt('input[type="password"]', text)

test('a container of Azure is set up by a connection string, which is looked at before it is sent', async () => {
  await begin('Azure Blob Storage')
  await person.write('Name', 'Azure')
  await writeSecret('AccountKey=abc')
  await person.press('Create credentials')
  await person.see('Connection String must contain AccountName= or BlobEndpoint=')
  expect(await look('wizard-azure-credentials')).toEqual([])
  await writeSecret('BlobEndpoint=http://127.0.0.1:9/studio;AccountName=studio;AccountKey=cGxhbnRlZA==')
  await person.press('Create credentials')
  await expect.poll(() => selected('Credentials')).toBe('Azure')
  await person.press('Next')
  await person.see('No buckets were found with the given information')
  await person.writeAt('aria/Bucket Name[role="combobox"]', 'negatives')
  await person.write('DataIntell Name', 'Negatives in Azure')
  await finish()
  await expect.poll(() => table('Buckets')).toMatch(/Negatives in Azure\s+negatives\s+-\s+Azure Blob Storage\s+Cloud/)
})

test('Dropbox is set up by a code that is got there, and a folder', async () => {
  await begin('Dropbox')
  await person.see('Get a code from Dropbox')
  const isLink = 'form a[target="_blank"][href^="https://www.dropbox.com/oauth2/authorize?client_id=appkey12&"]'
  expect(await page.$eval(isLink, (link) => link.textContent)).toBe('Get a code from Dropbox')
  expect(await look('wizard-dropbox-credentials')).toEqual([])
  await person.write('Name', 'Agency')
  await writeSecret('old')
  await person.press('Create credentials')
  await person.see("Code was refused by Dropbox: code … doesn't exist or has expired. Get a new code")
  await writeSecret('planted-CODE')
  await person.press('Create credentials')
  await expect.poll(() => selected('Credentials')).toBe('Agency')
  await person.press('Next')
  await person.see('Enter / for the whole Dropbox')
  expect(await page.$('aria/Bucket Name[role="combobox"]')).toBeNull()
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Path', '/Films')
  await person.write('DataIntell Name', 'Films of the agency')
  expect(await look('wizard-dropbox')).toEqual([])
  await finish()
  await expect.poll(() => table('Buckets')).toMatch(/Films of the agency\s+\/Films\s+-\s+Dropbox\s+Cloud/)
})

test('a bucket that cannot be listed is added with a warning, and can be edited and deleted', async () => {
  const { answer } = await visit.product.call('GET', '/v1/bucket-credentials')
  const known = (answer as { elements: { id: number; name: string }[] }).elements
  const credentials = known.find(({ name }) => name === 'Studio')
  await visit.product.call('POST', '/v1/buckets', {
    name: 'rushes',
    description: 'Rushes',
    type: 'OTHER',
    awsCredentialsId: credentials?.id,
    storagePrice: { id: 1 },
  })
  await visit.page.goto(`${visit.product.address}/settings/data`)
  await person.press('Edit Rushes')
  await person.writeAt('aria/Bucket Name[role="combobox"]', 'nothing')
  expect(await look('bucket-edit')).toEqual([])
  await person.press('Save bucket')
  await person.see('Bucket updated, but it cannot be scanned')
  await expect.poll(() => table('Buckets')).toContain('nothing')
  await person.press('Delete Rushes')
  await person.press('Delete bucket')
  await person.see('Rushes was deleted')
  await expect.poll(() => table('Buckets')).not.toContain('Rushes')
})

test('nothing of it made the browser complain', () =>
  // That a provider cannot be reached is an answer, which a browser names by itself.
  expect(visit.complaints.filter((complaint) => !/422|502/.test(complaint))).toEqual([]))
