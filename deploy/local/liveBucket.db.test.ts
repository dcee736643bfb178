import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationOf } from '#agent/feeds/buckets/testing.ts'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { startQueue } from '#agent/systems/s3/simulator/queue.ts'
import { account } from '#agent/systems/s3/testing.ts'
import type { LiveState } from '#events/feeds/liveState.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'

const data = join(testFolder('live-bucket'), 'data')
const db = await testDb()
const queue = await startQueue({ accounts: [account] })
const object = (key: string, size: number) => ({ key, size, modified: 1_700_000_000 })
const objects = objectsOf(['a', 'a/b', 'a/c/d', 'a//e', 'f/g'].map((key) => object(key, 100)))
const store = await startSimulator({
  accounts: [account],
  buckets: { films: { objects } },
  notify: (event) => queue.send(notificationOf(event)),
})
const waiting = { timeout: 30_000 }
let product: Product
afterAll(async () => {
  await product?.stop()
  await Promise.all([queue.close(), store.close()])
})

const answerOf = async <T>(path: string): Promise<T> => (await product.call('GET', path)).answer as T
const stateOf = async () => (await answerOf<{ elements: { live: LiveState }[] }>('/v1/storages')).elements[0]?.live
type Totals = { elements: { numberOfFiles: number; numberOfFolders: number; sizeOfFiles: number }[] }
const totalsOf = async (query: string) => {
  const { elements } = await answerOf<Totals>(`/v1/volumes?${query}`)
  return elements.map((one) => [one.numberOfFiles, one.numberOfFolders, one.sizeOfFiles])[0]
}
const scan = async () => {
  await product.call('POST', '/v1/scans/buckets/ids', [1])
  const unfinished = () => db.selectFrom('scans').select('id').where('finishedAt', 'is', null).execute()
  await expect.poll(unfinished, waiting).toEqual([])
}

beforeAll(async () => {
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment: { DATABASE_URL: await testDatabaseUrl() } })
  const keys = { accessKey: account.accessKey, privateKey: account.secretKey, url: store.url }
  await product.call('POST', '/v1/bucket-credentials', { name: 'Studio', type: 'OTHER', ...keys })
  const place = { name: 'films', description: 'Films', type: 'OTHER', awsCredentialsId: 1, queue: queue.url }
  await product.call('POST', '/v1/buckets', { ...place, storagePrice: await product.freeBook() })
}, 120_000)

test('objects that are put and removed are shown before the next scan, and that misses none', async () => {
  await scan()
  await expect.poll(async () => (await stateOf())?.state, waiting).toBe('LIVE')
  const before = await totalsOf('')
  expect(before?.[0]).toBe(5)
  for (let n = 0; n < 20; n++) store.put('films', object(`new/deep/${n}`, 10))
  store.put('films', object('a/c/', 0))
  // Its folder stays, and so does the object that is named like a folder which vanishes.
  store.remove('films', 'a')
  store.put('films', object('f', 5))
  store.remove('films', 'f/g')
  await expect.poll(async () => (await totalsOf('live=true'))?.[0], waiting).toBe(25)
  await expect.poll(queue.size, waiting).toBe(0)
  const live = await totalsOf('live=true')
  expect(await totalsOf('')).toEqual(before)
  await scan()
  expect(await totalsOf('')).toEqual(live)
  await expect.poll(stateOf, waiting).toMatchObject({ state: 'LIVE', missed: { entries: 0 } })
}, 120_000)
