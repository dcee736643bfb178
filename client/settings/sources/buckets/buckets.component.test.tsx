import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type PriceBook, priceBooks } from '#events/price-books.ts'
import { sourceScans } from '#events/scans/sourceScans.ts'
import { schedules } from '#events/schedules/calls.ts'
import { type Bucket, type BucketCredential, bucketCredentials, bucketNames, buckets } from '#events/sources/buckets.ts'
import { bucketCheck } from '#events/sources/bucketQuestion.ts'
import { dropboxCredentials, dropboxLink } from '#events/sources/dropbox.ts'
import { answer, fail, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { bucketOf, credentialOf, emptyDataTab, priceBookOf } from '#client/settings/testing.ts'

const cloud = priceBookOf({ description: 'Cloud', currencySymbol: '$', price: 0.3, classPrices: [] }, 1)
const studio = credentialOf({ name: 'Studio', type: 'OTHER', url: 'http://127.0.0.1:9' }, 1)
const rushes = bucketOf({ name: 'rushes', description: 'Rushes', type: 'OTHER' }, 1)

type KnownRows = { rows?: Bucket[]; credentials?: BucketCredential[]; books?: PriceBook[]; dropbox?: string }
/** Opens the Data tab and its section of buckets. */
async function openData({ rows = [], credentials = [], books = [], dropbox }: KnownRows = {}) {
  const opened = await open('/storages/settings', {
    answers: [
      ...emptyDataTab,
      ...tableOf(buckets, rows, { rowOf: bucketOf }),
      ...tableOf(bucketCredentials, credentials, { rowOf: credentialOf }),
      ...tableOf(priceBooks, books, { rowOf: priceBookOf }),
      answer(dropboxLink, { url: dropbox ?? null }),
      answer(bucketNames, ['films', 'rushes']),
      answer(bucketCheck, { reason: null, field: null }),
      answer(sourceScans.bucket, { jobId: 3 }),
    ],
  })
  await opened.person.press('Object Storage')
  return opened
}
type Person = Awaited<ReturnType<typeof openData>>['person']
const begin = async (person: Person, provider: string) => {
  await person.press('Add storage')
  await person.press(/^Amazon S3/)
  await person.choose('Cloud', provider)
}
/** Fills in a field whose label is its only name, such as that of a secret. */
const writeLabelled = async (person: Person, label: string, text: string) =>
  person.fill(await screen.findByLabelText(label, { selector: 'input' }), text)
const selected = (label: string) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: label }).selectedOptions[0]?.text
const valueOf = (field: HTMLElement) => (field as HTMLInputElement).value
const icon = () => document.querySelector('[role="dialog"] [data-provider]')?.getAttribute('data-provider')
const rowOf = async (name: RegExp) =>
  within(await screen.findByRole('table', { name: 'Buckets' })).findByRole('row', { name })
const sourcesChanged = { type: 'changed' as const, topics: ['sources' as const] }
const refusedBucket = (written: 'created' | 'updated') => ({
  message: `Bucket ${written}, but it cannot be scanned: access denied`,
  code: `bucket-${written}`,
})

test('no bucket is set up at first, and an object storage begins with its provider', async () => {
  const { person } = await openData()
  await person.see('No bucket is set up yet. Add the first one, then scan it.')
  await person.see('No credentials yet. Add some before adding a bucket.')
  await begin(person, 'Backblaze B2')
  await person.see('Configure Cloud Credentials')
  await person.see('Buckets created before May 4th, 2020 are not compatible.')
  expect(await person.isDisabled('Next')).toBe(true)
  expect(selected('Credentials')).toBe('There are no credentials yet')
  await person.choose('Cloud', 'Oracle Object Storage')
  await person.see('Of your tenancy, as the Oracle console shows it')
  expect(icon()).toBe('ORACLE_OBJECT_STORAGE')
  await person.choose('Cloud', 'Custom S3')
  await person.seeNo('Namespace')
  expect(icon()).toBe('OTHER')
  expect(screen.queryByRole('option', { name: 'Dropbox' })).toBeNull()
})

test('regions of the provider are offered with their places', async () => {
  const { person } = await openData()
  await begin(person, 'Amazon S3')
  await writeLabelled(person, 'Region', 'eu-central')
  expect(screen.getAllByRole('option', { name: /eu-central/ }).map(({ textContent }) => textContent)).toEqual([
    'eu-central-1 · Frankfurt',
    'eu-central-2 · Zurich',
  ])
})

test('credentials are created within the wizard, refused at their fields, and selected', async () => {
  const { person, api } = await openData()
  await begin(person, 'Custom S3')
  await person.press('New credentials')
  await person.press('Create credentials')
  await person.see('Name must be between 1 and 255 characters')
  await person.see('Access key ID must be between 1 and 10000 characters')
  await person.see('Secret access key must be between 1 and 255 characters')
  await person.choose('Type', 'Custom S3')
  await person.press('Create credentials')
  await person.see('URL must be between 1 and 255 characters')
  expect(api.inputs(bucketCredentials.create)).toEqual([])
  await person.write('Name', 'Studio')
  await person.write('URL', 'http://127.0.0.1:9000')
  await writeLabelled(person, 'Access key ID', 'AKIA11')
  await writeLabelled(person, 'Secret access key', 'secret/11=')
  await person.press('Create credentials')
  await person.see('Object Storage credentials was created successfully')
  await waitFor(() => expect(selected('Credentials')).toBe('Studio'))
  expect(api.inputs(bucketCredentials.create).map(({ body }) => body)).toEqual([
    {
      name: 'Studio',
      type: 'OTHER',
      signIn: 'keys',
      accessKey: 'AKIA11',
      privateKey: 'secret/11=',
      sessionToken: '',
      url: 'http://127.0.0.1:9000',
    },
  ])
})

test('the first listed bucket is suggested, checked, reviewed and added with a new price book and scans', async () => {
  const { person, api, live } = await openData({ credentials: [studio] })
  api.answer(answer(schedules.create, { id: 1 }))
  await begin(person, 'Custom S3')
  await person.choose('Credentials', 'Studio')
  await person.press('Next')
  const name = await screen.findByRole('combobox', { name: 'Bucket Name' })
  await waitFor(() => expect(valueOf(name)).toBe('films'))
  const shownName = screen.getByRole('textbox', { name: 'DataIntell Name' })
  expect(valueOf(shownName)).toBe('films')
  await person.fill(name, 'rushes')
  expect(valueOf(shownName)).toBe('rushes')
  await person.fill(name, 'films')
  await person.write('Requests per second', '0')
  await person.write('DataIntell Name', 'Films in the cloud')
  await person.fill(name, 'rushes')
  expect(valueOf(shownName)).toBe('Films in the cloud')
  await person.fill(name, 'films')
  await person.see('Requests per second must be a whole number from 1 to 10000')
  await person.write('Requests per second', '500')
  await person.write('Prefix', 'films/2024')
  await person.press('Requester pays', 'checkbox')
  await person.press('Count old versions and unfinished uploads', 'checkbox')
  await person.write('S3 Inventory', 'daily')
  await person.write('DataIntell Name', 'Films in the cloud')
  await person.see('S3 Inventory must be like s3://reports/inventory/films/daily')
  await person.write('S3 Inventory', '')
  await person.press('Next')
  await person.press('New price book')
  await person.write('Name', 'Cloud')
  await person.write('Currency Symbol', '$')
  await person.write('Storage Price (GB/Year)', '0.3')
  await person.press('Add price book')
  await person.press('Next')
  await person.see(/Prefixfilms\/2024.*Countedold versions and unfinished uploads.*Requester paysYes.*Price BookCloud/)
  expect(api.inputs(priceBooks.create)).toEqual([])
  await person.press('Next')
  await person.press('Repeat nightly', 'checkbox')
  await person.press('Save')
  await person.see('Films in the cloud was added')
  await person.see('Storage price was created successfully')
  await person.closed()
  live.send('changed', sourcesChanged)
  expect((await rowOf(/Films in the cloud/)).textContent).toMatch(/Films in the cloudfilms-Custom S3Cloud/)
  expect(api.inputs(buckets.create)).toMatchObject([
    {
      body: {
        name: 'films',
        description: 'Films in the cloud',
        awsCredentialsId: 1,
        storagePrice: { id: 1 },
        requestsPerSecond: 500,
        countsVersions: true,
        prefix: 'films/2024',
        requesterPays: true,
      },
    },
  ])
  await waitFor(() =>
    expect(api.inputs(sourceScans.bucket)).toMatchObject([{ query: { cloneIndex: true }, body: [1] }]),
  )
  expect(api.inputs(schedules.create)).toMatchObject([
    { body: { name: 'Films in the cloud nightly', cron: '0 0 1 * * ?', jobClass: 'SCAN_BUCKETS' } },
  ])
})

test('a container of Azure needs a connection string, and its name is typed where none can be listed', async () => {
  const { person, api } = await openData({ books: [cloud] })
  api.answer(fail(bucketNames), refuse(buckets.create, refusedBucket('created'), 422))
  await begin(person, 'Azure Blob Storage')
  expect(screen.queryByRole('combobox', { name: 'Region' })).toBeNull()
  await person.press('New credentials')
  await person.choose('Type', 'Azure Blob Storage')
  await person.write('Name', 'Azure')
  await writeLabelled(person, 'Connection String', 'AccountKey=abc')
  await person.press('Create credentials')
  await person.see('Connection String must contain AccountName= or BlobEndpoint=')
  await writeLabelled(person, 'Connection String', 'AccountName=studio;AccountKey=abc')
  await person.press('Create credentials')
  await waitFor(() => expect(selected('Credentials')).toBe('Azure'))
  await person.press('Next')
  await person.see('No buckets were found with the given information, you can still enter the bucket name manually')
  await person.see('Something went wrong while fetching buckets')
  await person.fill(screen.getByRole('combobox', { name: 'Bucket Name' }), 'negatives')
  await person.write('DataIntell Name', 'Negatives in Azure')
  await person.press('Next')
  await person.choose('Price Book', 'Cloud')
  await person.press('Next')
  await person.press('Next')
  await person.press('Save')
  await person.see('Bucket created, but it cannot be scanned: access denied')
  await person.closed()
  expect(api.inputs(buckets.create)).toMatchObject([{ body: { type: 'AZURE', name: 'negatives', region: '' } }])
  expect(api.inputs(sourceScans.bucket)).toEqual([])
})

test('Dropbox is set up with a code from its page and a folder', async () => {
  const url = 'https://www.dropbox.com/oauth2/authorize?client_id=appkey12'
  const { person, api, live } = await openData({ books: [cloud], dropbox: url })
  const subErrors = [{ field: 'code', message: 'was refused by Dropbox. Get a new code' }]
  api.answer(refuse(dropboxCredentials.create, { message: 'Validation errors', subErrors }, 400))
  await begin(person, 'Dropbox')
  await person.press('New credentials')
  await person.choose('Type', 'Dropbox')
  const link = await screen.findByRole('link', { name: 'Get a code from Dropbox' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([url, '_blank'])
  await person.write('Name', 'Agency')
  await writeLabelled(person, 'Code', 'old')
  await person.press('Create credentials')
  await person.see('Code was refused by Dropbox. Get a new code')
  const agency = credentialOf({ name: 'Agency', type: 'DROPBOX', url: '' }, 7)
  api.answer(answer(dropboxCredentials.create, { id: 7 }), answer(bucketCredentials.list, pageWith([agency])))
  await writeLabelled(person, 'Code', 'new')
  await person.press('Create credentials')
  await waitFor(() => expect(selected('Credentials')).toBe('Agency'))
  expect(api.inputs(dropboxCredentials.create).at(-1)?.body).toMatchObject({ name: 'Agency', code: 'new' })
  await person.press('Next')
  await person.see('Enter / for the whole Dropbox')
  expect(screen.queryByRole('combobox', { name: 'Bucket Name' })).toBeNull()
  expect(await person.isDisabled('Next')).toBe(true)
  await person.write('Path', '/Films')
  await person.write('DataIntell Name', 'Films of the agency')
  await person.press('Next')
  await person.choose('Price Book', 'Cloud')
  await person.press('Next')
  await person.see(/Path\/Films/)
  await person.press('Next')
  await person.press('Save')
  await person.closed()
  live.send('changed', sourcesChanged)
  expect((await rowOf(/Films of the agency/)).textContent).toMatch(/Films of the agency\/Films-DropboxCloud/)
})

test('a field that the server refuses opens its step', async () => {
  const { person, api } = await openData({ credentials: [studio], books: [cloud] })
  const subErrors = [{ field: 'description', message: 'must be unique' }]
  api.answer(refuse(buckets.create, { message: 'Validation errors', subErrors }, 400))
  await begin(person, 'Custom S3')
  await person.choose('Credentials', 'Studio')
  await person.press('Next')
  await person.press('Next')
  await person.choose('Price Book', 'Cloud')
  await person.press('Next')
  await person.press('Next')
  await person.press('Save')
  await person.see('DataIntell Name must be unique')
  expect(valueOf(screen.getByRole('textbox', { name: 'DataIntell Name' }))).toBe('films')
})

test('a bucket is scanned from its row, saved with a warning if it cannot be listed, and deleted once confirmed', async () => {
  const rows = [rushes]
  const { person, api } = await openData({ rows, credentials: [studio], books: [cloud] })
  await person.press('Scan Rushes')
  await person.see('1 of 1 storage selected')
  await person.press('Scan 1 storage')
  await person.closed()
  expect(api.inputs(sourceScans.bucket)).toMatchObject([{ body: [1] }])
  await person.press('Edit Rushes')
  expect(await person.isDisabled('Cloud', 'combobox')).toBe(true)
  await person.fill(await screen.findByRole('combobox', { name: 'Bucket Name' }), 'nothing')
  rows.splice(0, 1, { ...rushes, name: 'nothing' })
  api.answer(refuse(buckets.update, refusedBucket('updated'), 422))
  await person.press('Save bucket')
  await person.see('Bucket updated, but it cannot be scanned')
  await person.closed()
  expect(api.inputs(buckets.update)).toMatchObject([{ params: { id: 1 }, body: { name: 'nothing' } }])
  await waitFor(async () => expect((await rowOf(/Rushes/)).textContent).toContain('nothing'))
  await person.press('Delete Rushes')
  await person.see('Nothing is deleted at the provider.')
  await person.press('Delete bucket')
  await person.see('Rushes was deleted')
  await person.see('No bucket is set up yet.')
})

test('credentials whose keys were lost say so, and are entered again', async () => {
  const { person, api } = await openData({ credentials: [{ ...studio, isPasswordLost: true }] })
  await person.see('Enter the password again')
  await person.press('Edit credentials Studio')
  await person.see('It was encrypted with a different key than the server has now: enter it again.')
  expect(await person.isDisabled('Type', 'combobox')).toBe(true)
  await person.press('Save credentials')
  await person.see('Access key ID must be between 1 and 10000 characters')
  expect(api.inputs(bucketCredentials.update)).toEqual([])
})
