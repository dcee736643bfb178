import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { account } from '#agent/systems/s3/testing.ts'
import type { MediaCoverage } from '#events/media/coverage.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'

const samples = join(import.meta.dirname, '../../agent/media/samples')
const scratch = testFolder('media-files')
const [tree, data] = [join(scratch, 'tree'), join(scratch, 'data')]
const db = await testDb()
const waiting = { timeout: 30_000 }
let product: Product
let volumeId: number
afterAll(() => product?.stop())

const path = (name: string) => join(tree, name)
const coverage = async () =>
  (await product.call('GET', `/v1/media/coverage?volumeId=${volumeId}`)).answer as MediaCoverage
const jobs = () =>
  db.selectFrom('jobs').select(['id', 'status']).where('type', '=', 'READ_MEDIA_SEARCH_RESULT').orderBy('id').execute()
/** Files of all jobs that read media. */
const filesRead = async () => {
  const tasks = await db.selectFrom('tasks').select('payload').where('type', '=', 'ACT_ON_FILES').execute()
  return tasks.reduce((sum, { payload }) => sum + ('files' in payload ? payload.files : 0), 0)
}
/** Scans the storage, and waits until events of the scan were followed and no job is open. */
const scan = async (kind = 'volumes', id = volumeId) => {
  await product.call('POST', `/v1/scans/${kind}/ids`, [id])
  const state = async () => {
    const scans = await db.selectFrom('scans').select('id').where('finishedAt', 'is', null).execute()
    const behind = await db
      .selectFrom('followers')
      .select('name')
      .where('name', '=', 'media-after-scans')
      .where('position', '<', ({ selectFrom }) => selectFrom('events').select(({ fn }) => fn.max('position').as('end')))
      .execute()
    const open = (await jobs()).filter(({ status }) => status !== 'SUCCESS' && status !== 'WARNING')
    return [scans, behind, open]
  }
  await expect.poll(state, waiting).toEqual([[], [], []])
}

beforeAll(async () => {
  cpSync(samples, tree, { recursive: true })
  mkdirSync(path('more'))
  writeFileSync(path('notes.txt'), 'no media')
  writeFileSync(path('more/fake.mp4'), 'no media either')
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment: { DATABASE_URL: await testDatabaseUrl() } })
  volumeId = await product.addStorage({ name: 'Films', path: tree, readMedia: true })
}, 120_000)

test('a scan has the new media files read, and names those that are none', async () => {
  await scan()
  expect(await coverage()).toEqual({
    files: 5,
    read: 4,
    failed: 1,
    failures: [{ path: path('more/fake.mp4'), reason: 'This is not a media file, or it is damaged' }],
  })
  expect(await filesRead()).toBe(5)
}, 120_000)

test('the next scan has none read, also if files were moved', async () => {
  renameSync(path('clip.mov'), path('more/renamed.mov'))
  await scan()
  expect([(await jobs()).length, await filesRead()]).toEqual([1, 5])
  expect(await coverage()).toMatchObject({ files: 5, read: 4, failed: 1 })
}, 120_000)

test('a file that was replaced at its path is read again', async () => {
  copyFileSync(join(samples, 'sound.wav'), path('more/fake.mp4'))
  await scan()
  expect([(await jobs()).length, await filesRead()]).toEqual([2, 6])
  expect(await coverage()).toEqual({ files: 5, read: 5, failed: 0, failures: [] })
}, 120_000)

test('objects of a bucket are read after its scan and found by their codec, once each', async () => {
  const files = new Map<string, Buffer>()
  const objectOf = (key: string, name: string, storageClass = 'STANDARD') => {
    const bytes = readFileSync(join(samples, name))
    files.set(key, bytes)
    const etag = createHash('md5').update(bytes).digest('hex')
    return { key, size: bytes.length, modified: 1_700_000_000, etag, storageClass }
  }
  const objects = objectsOf([
    objectOf('2024/../a b.mov', 'master.mov'),
    objectOf('2024/photo.jpg', 'photo.jpg', 'DEEP_ARCHIVE'),
    objectOf('2024//+%2F.wav', 'sound.wav'),
  ])
  const store = await startSimulator({ accounts: [account], buckets: { films: { objects, files } } })
  onTestFinished(() => store.close())
  const keys = { accessKey: account.accessKey, privateKey: account.secretKey, url: store.url }
  await product.call('POST', '/v1/bucket-credentials', { name: 'Studio', type: 'OTHER', ...keys })
  const place = {
    name: 'films',
    description: 'Cloud',
    type: 'OTHER',
    awsCredentialsId: 1,
    prefix: '2024',
    readMedia: true,
  }
  const { status } = await product.call('POST', '/v1/buckets', { ...place, storagePrice: await product.freeBook() })
  expect(status).toBe(200)
  const before = await filesRead()
  await scan('buckets', 1)
  expect((await filesRead()) - before).toBe(2)
  expect(store.objects.requests).toBe(2)
  const { answer } = await product.call('POST', '/v1/search', [{ 'metadata.video.codec': { value: 'prores' } }])
  const found = (answer as { elements: { path: string }[] }).elements.map(({ path }) => path)
  expect(found.toSorted()).toEqual(['/../a b.mov', '/master.mov'])
  await scan('buckets', 1)
  expect([(await filesRead()) - before, store.objects.requests]).toEqual([2, 2])
}, 120_000)
