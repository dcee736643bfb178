import { fieldsOf } from '#events/jobs/taskResults.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAzurite } from '#agent/systems/azure/testing.ts'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { bucketOf, delivered, place } from '#agent/systems/s3/inventory/testing.ts'
import { madeUpObjects } from '#agent/testing/madeUpStore.ts'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'

const account = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }
const azurite = await startAzurite()
const made = madeUpObjects(3_000)
const bytes = made.reduce((sum, { size }) => sum + size, 0)
const copies = made.slice(100, 140).map((object) => ({ ...object, key: `copies/${object.key}` }))
const hidden = {
  old: [
    { key: 'a', size: 3 },
    { key: 'a', size: 4 },
  ],
  deleteMarkers: ['gone'],
  uploads: [{ key: 'half done', parts: [5, 6] }],
}
/** Location of the inventory of the bucket `media`. */
const reports = delivered(made)
let store: Awaited<ReturnType<typeof startSimulator>>
let product: Product
let credentialsId: number
let storagePrice: { id: number }

beforeAll(async () => {
  const buckets = {
    films: { objects: objectsOf(made), hidden },
    rushes: { objects: objectsOf(copies), region: 'eu-west-1' },
    media: { objects: objectsOf(made) },
    reports: bucketOf(reports),
  }
  store = await startSimulator({ accounts: [account], buckets })
  product = await startProduct(join(testFolder('buckets'), 'data'))
  const keys = { accessKey: account.accessKey, privateKey: account.secretKey, url: store.url }
  storagePrice = await product.freeBook()
  credentialsId = (await call('POST', '/v1/bucket-credentials', { name: 'Studio', type: 'OTHER', ...keys })).id
})
afterAll(async () => {
  await product.stop()
  await store.close()
})

const call = async (...input: Parameters<Product['call']>) => {
  const { status, answer } = await product.call(...input)
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return answer as { id: number; jobId: number; elements: Record<string, unknown>[] }
}
const draft = (name: string, description: string) => ({
  name,
  description,
  type: 'OTHER',
  region: '',
  path: '',
  awsCredentialsId: credentialsId,
  storagePrice,
})
const job = async (id: number) => JobDetails.parse(await call('GET', `/v1/jobs/${id}`))
async function scanned(...ids: number[]) {
  const { jobId } = await call('POST', '/v1/scans/buckets/ids?cloneIndex=true', ids)
  await expect.poll(async () => isOpen(await job(jobId)), { timeout: 60_000 }).toBe(false)
  return job(jobId)
}
const volumes = async () => (await call('GET', '/v1/volumes')).elements

test('the names of buckets match the provider', async () => {
  const names = () => product.call('POST', `/v1/buckets/names?credentialsId=${credentialsId}`)
  // The agent may still be starting.
  await expect
    .poll(async () => (await names()).answer, { timeout: 60_000 })
    .toEqual(['films', 'media', 'reports', 'rushes'])
})

test('two buckets are scanned with every key once, and objects in both are duplicates', async () => {
  const { id: films } = await call('POST', '/v1/buckets', { ...draft('films', 'Films'), countsVersions: true })
  const { id: rushes } = await call('POST', '/v1/buckets', draft('rushes', 'Rushes'))
  const { tasks, ...ended } = await scanned(films, rushes)
  expect(ended).toMatchObject({ type: 'SCAN_CLOUD', status: 'SUCCESS' })
  // One request to check the bucket, and at least one page.
  for (const { result } of tasks) expect(fieldsOf(result).requests).toBeGreaterThanOrEqual(2)
  const shown = await volumes()
  expect(shown.find(({ name }) => name === 'Films')).toMatchObject({ type: 'OTHER', sizeOfFiles: bytes })
  const detailsOf = async (name: string) => {
    const id = shown.find((volume) => volume['name'] === name)?.['id']
    return (await call('GET', `/v1/detailedVolumes/${Number(id)}`)).elements[0]
  }
  const versions = { noncurrent: { count: 2, bytes: 7 }, deleteMarkers: 1, incomplete: { count: 1, bytes: 11 } }
  expect(await detailsOf('Films')).toMatchObject({ versions, versionsFailure: null })
  expect(await detailsOf('Rushes')).toMatchObject({ versions: null, versionsFailure: null, inventoryAt: null })
  const rushesId = shown.find(({ name }) => name === 'Rushes')?.['id']
  const criteria = [{ isDupe: { value: true } }, { volumeId: { values: [rushesId] } }]
  const { elements } = await call('POST', '/v1/search?size=100', criteria)
  expect(elements.filter(({ isDirectory }) => !isDirectory)).toHaveLength(copies.length)
})

test('a bucket is read from its inventory, whose time the snapshot has; a damaged inventory changes nothing', async () => {
  const { id } = await call('POST', '/v1/buckets', { ...draft('media', 'Inventoried'), inventory: place })
  const listings = () => store.requests.filter((request) => /\/media\/?\?.*list-type=2/.test(request)).length
  const before = listings()
  expect(await scanned(id)).toMatchObject({ type: 'SCAN_CLOUD', status: 'SUCCESS' })
  expect(listings()).toBe(before)
  const shown = async () => (await volumes()).find(({ name }) => name === 'Inventoried')
  const first = await shown()
  expect(first).toMatchObject({ numberOfFiles: made.length, sizeOfFiles: bytes })
  const details = await call('GET', `/v1/detailedVolumes/${Number(first?.['id'])}`)
  expect(details.elements[0]).toMatchObject({ inventoryAt: '2026-11-24T01:00:00.000Z' })
  for (const [key, file] of reports) if (key.endsWith('.csv.gz')) reports.set(key, file.toReversed())
  const { tasks } = await scanned(id)
  const reason = expect.stringMatching(/of the inventory does not have the checksum that its manifest says$/)
  expect(tasks).toMatchObject([{ status: 'FAILURE', result: { reason } }])
  expect(await shown()).toEqual(first)
})

test('a missing bucket is reported when it is added, and its scan fails with the reason', async () => {
  const { status, answer } = await product.call('POST', '/v1/buckets', draft('nothing', 'Nothing'))
  expect([status, (answer as { code: string }).code]).toEqual([422, 'bucket-created'])
  const { elements } = await call('GET', '/v1/buckets')
  const { tasks } = await scanned(Number(elements.find(({ name }) => name === 'nothing')?.['id']))
  expect(tasks).toMatchObject([{ status: 'FAILURE', result: { reason: expect.stringContaining('nothing') } }])
})

test('a refusal by the provider ends the scan with the reason, and the older snapshot is kept', async () => {
  const before = await volumes()
  await call('PUT', `/v1/bucket-credentials/${credentialsId}`, {
    name: 'Studio',
    type: 'OTHER',
    accessKey: null,
    privateKey: 'wrong',
    url: store.url,
  })
  const { tasks } = await scanned(1)
  expect(tasks).toMatchObject([{ status: 'FAILURE', result: { reason: expect.stringContaining('secret access key') } }])
  expect((await volumes()).find(({ name }) => name === 'Films')).toEqual(before.find(({ name }) => name === 'Films'))
})

test('an Azure container is scanned, too, with the size of its content', async () => {
  const blobs = Array.from({ length: 300 }, (_, i) => ({ name: `show ${i % 3}/reel ${i}.mov`, size: i }))
  await azurite.fill('media', blobs)
  const credentials = { name: 'Azure', type: 'AZURE', accessKey: azurite.connectionString, privateKey: '', url: '' }
  const { id: awsCredentialsId } = await call('POST', '/v1/bucket-credentials', credentials)
  const names = await product.call('POST', `/v1/buckets/names?credentialsId=${awsCredentialsId}`)
  expect(names.answer).toEqual(['media'])
  const { id } = await call('POST', '/v1/buckets', {
    ...draft('media', 'Media'),
    type: 'AZURE',
    awsCredentialsId,
  })
  expect(await scanned(id)).toMatchObject({ type: 'SCAN_CLOUD', status: 'SUCCESS' })
  const media = (await volumes()).find(({ name }) => name === 'Media')
  const size = blobs.reduce((sum, { size }) => sum + size, 0)
  expect(media).toMatchObject({ type: 'AZURE', numberOfFiles: blobs.length, numberOfFolders: 3, sizeOfFiles: size })
})
