import { beforeAll, expect, test } from 'vitest'
import request from 'supertest'
import type { MetricFolder } from '#events/overview/metrics.ts'
import type { StorageOverview } from '#events/overview/storageOverview.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, scrapeAll, testSession } from '#server/testing.ts'
import { fillAll } from '#server/work/projects/figures/startFigures.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { startMetrics } from './index.ts'
import { openMetrics } from './startMetrics.ts'
import { keyOf, scraped } from './testing/scraped.ts'
import { testScans } from './testing/testScans.ts'

const platform = await testPlatform()
const { db } = platform
const { nextDay, scan, failedScan } = testScans(platform)
const app = createApp(platform, routesOf(platform))
const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const random = newRandom(testSeed(27))
let refresh = openMetrics(platform)
let films = 0

const scrape = async () => scraped(await scrapeAll(app, db))
const valueOf = async (name: string, ...labels: string[]) => (await scrape()).get(keyOf(name, ...labels))
const get = async (path: string) => (await admin('GET', `/api${path}`).expect(200)).body
const choose = (folders: object[]) => admin('PUT', '/api/v1/metrics/folders', { folders })
beforeAll(async () => {
  films = await newVolume(platform, 'Films')
})

test('values equal those of the API after each scan, and after a restart', { timeout: 600_000 }, async () => {
  const rushes = await newVolume(platform, 'Rushes')
  await admin('POST', '/api/projects', {
    name: 'Aurora',
    description: '',
    allocatedSize: 5_000,
    paths: [{ volumeId: rushes, path: '/a' }],
  }).expect(200)
  const names = ['a', 'b', 'c', 'd']
  await choose(names.map((name) => ({ storageId: rushes, path: `/${name}` }))).expect(204)
  for (let scans = cases(6, 50); scans > 0; scans--) {
    const kept = names.filter(() => random.below(4) > 0)
    await scan(rushes, Object.fromEntries(kept.map((name) => [name, random.below(1_000)])), 100 + random.below(700))
    if (random.below(4) > 0) await fillAll(platform)
    await refresh()
    const samples = await scrape()
    const [overview, { elements: folders }, { elements: projects }] = await Promise.all([
      get('/v1/storages/overview'),
      get(`/v1/directories/contents/folders?path=/&volumeId=${rushes}`),
      get('/v1/projects'),
    ])
    const { snapshot } = overview.find((one: StorageOverview) => one.volumeId === rushes)
    expect(samples.get(keyOf('storage_used_bytes', 'Rushes'))).toBe(snapshot.used)
    expect(samples.get(keyOf('storage_available_bytes', 'Rushes'))).toBe(snapshot.free)
    expect(samples.get(keyOf('storage_total_bytes', 'Rushes'))).toBe(snapshot.total)
    expect(samples.get(keyOf('storage_files', 'Rushes'))).toBe(snapshot.numberOfFiles)
    expect(samples.get(keyOf('storage_content_bytes', 'Rushes'))).toBe(snapshot.sizeOfFiles)
    const { forecast, points } = snapshot as NonNullable<StorageOverview['snapshot']>
    expect(samples.get(keyOf('storage_until_full_seconds', 'Rushes'))).toBe(forecast && forecast.days * 86_400)
    const [first, last] = [points[0], points.at(-1)]
    const growth =
      first && last && first !== last ? (last.sizeOfFiles - first.sizeOfFiles) / (points.length - 1) : undefined
    expect(samples.get(keyOf('storage_growth_bytes_per_day', 'Rushes'))).toBe(growth)
    for (const name of names) {
      const shown = folders.find((folder: { name: string }) => folder.name === name)
      expect(samples.get(keyOf('folder_bytes', 'Rushes', `/${name}`))).toBe(shown?.size)
    }
    const [{ loadingReport, sizeOfFiles, numberOfFiles, allocatedSize }] = projects
    expect(samples.get(keyOf('project_bytes', 'Aurora'))).toBe(loadingReport ? undefined : sizeOfFiles)
    expect(samples.get(keyOf('project_files', 'Aurora'))).toBe(loadingReport ? undefined : numberOfFiles)
    expect(samples.get(keyOf('project_allocated_bytes', 'Aurora'))).toBe(allocatedSize)
    const age = samples.get(keyOf('snapshot_age_seconds', 'Rushes'))
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(60)
  }
  const before = await scrape()
  refresh = openMetrics(platform)
  await refresh()
  const after = await scrape()
  for (const key of [...before.keys()].filter((key) => !key.includes('age_seconds')))
    expect([key, after.get(key)]).toEqual([key, before.get(key)])
  expect(after.size).toBe(before.size)
})

test('a failed scan counts until the next good one, and a canceled one does not count', async () => {
  const failed = async () => {
    await refresh()
    return valueOf('scan_failed', 'Films')
  }
  expect(await failed()).toBeUndefined()
  expect(await valueOf('snapshot_age_seconds', 'Films')).toBeUndefined()
  expect(await valueOf('storage_added_timestamp_seconds', 'Films')).toBeGreaterThan(1_700_000_000)
  await failedScan(films, 'failed')
  expect(await failed()).toBe(1)
  await failedScan(films, 'cancelled')
  expect(await failed()).toBe(1)
  await scan(films, { a: 5 })
  expect(await failed()).toBe(0)
  await failedScan(films, 'cancelled')
  expect(await failed()).toBe(0)
})

test('unknown values have no series, and are never 0 or NaN', async () => {
  await refresh()
  for (const part of ['used', 'available', 'total'])
    expect(await valueOf(`storage_${part}_bytes`, 'Films')).toBeUndefined()
  for (const name of ['storage_until_full_seconds', 'storage_growth_bytes_per_day'])
    expect(await valueOf(name, 'Films')).toBeUndefined()
  expect(await valueOf('storage_content_bytes', 'Films')).toBe(5)
  expect(await scrapeAll(app, db)).not.toMatch(/dataintell_\S+ (NaN|[+-]Inf)/)
})

test('a project has no bytes while they are counted, and costs by currency', async () => {
  const paths = [{ volumeId: films, path: '/p' }]
  await admin('POST', '/api/projects', { name: 'Borealis', description: '', allocatedSize: 9, paths }).expect(200)
  await refresh()
  expect(await valueOf('project_bytes', 'Borealis')).toBeUndefined()
  expect(await valueOf('project_allocated_bytes', 'Borealis')).toBe(9)
  const { id: priceId } = await db
    .insertInto('storagePrices')
    .values({ description: 'Hot' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const since = '2026-01-01'
  const price = { storagePriceId: priceId, since, currencySymbol: '€', price: 12, classPrices: '[]' }
  await db.insertInto('storagePriceChanges').values(price).execute()
  await db.insertInto('volumePriceChanges').values({ volumeId: films, since, storagePriceId: priceId }).execute()
  const newest = nextDay()
  await countFolders(db, films, newest, { '/p': 2 ** 30 })
  await refresh()
  expect(await valueOf('project_bytes', 'Borealis')).toBe(2 ** 30)
  expect(await valueOf('project_cost', 'Borealis', '€')).toBe(12)
  await db.deleteFrom('snapshots').where('indexingDate', '=', newest).execute()
})

test('names with quotes, backslashes and line breaks are escaped', async () => {
  const odd = ['a"b\\c\nd', '\\', '"} 7', 'é😀 \u202e\t', 'x{y="z"}\\n']
  const ids = []
  for (const name of odd) ids.push(await newVolume(platform, name))
  await scan(ids[0] ?? 0, { 'a"b\\c\nd': 7 })
  await choose([{ storageId: ids[0], path: '/a"b\\c\nd' }]).expect(204)
  await refresh()
  for (const name of odd) expect(await valueOf('storage_added_timestamp_seconds', name)).toBeGreaterThan(0)
  expect(await valueOf('folder_bytes', 'a"b\\c\nd', '/a"b\\c\nd')).toBe(7)
})

test('the series of a removed or renamed storage, folder or project end', async () => {
  const storage = await newVolume(platform, 'Renamed')
  await scan(storage, { a: 3, b: 4 }, 500)
  await choose([
    { storageId: storage, path: '/a' },
    { storageId: storage, path: '/b' },
    { storageId: storage, path: '/none' },
  ]).expect(204)
  const seriesOf = async (label: string) => {
    await refresh()
    return [...(await scrape()).keys()].filter((key) => JSON.parse(key).slice(1).includes(label)).length
  }
  const all = await seriesOf('Renamed')
  expect(all).toBe(10)
  await db.updateTable('volumes').set({ name: 'New name' }).where('id', '=', storage).execute()
  expect([await seriesOf('Renamed'), await seriesOf('New name')]).toEqual([0, all])
  await choose([{ storageId: storage, path: '/a' }]).expect(204)
  expect(await seriesOf('/b')).toBe(0)
  await scan(storage, { b: 4 }, 500)
  expect(await seriesOf('/a')).toBe(0)
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', storage).execute()
  expect(await seriesOf('New name')).toBe(0)
  expect(await get('/v1/metrics/folders')).toEqual([])
  await db.deleteFrom('projects').execute()
  expect(await seriesOf('Aurora')).toBe(0)
})

test('a scrape reads no store, and each folder is read once for a scan', async () => {
  const storage = await newVolume(platform, 'Counted')
  await scan(storage, { a: 3 }, 500)
  await choose([{ storageId: storage, path: '/a' }]).expect(204)
  let reads = 0
  const clickhouse = new Proxy(platform.clickhouse, {
    get: (of, name) => {
      if (name === 'rows') reads += 1
      const value = Reflect.get(of, name)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  const read = openMetrics({ db, clickhouse })
  for (let times = 0; times < 3; times++) await read()
  expect(reads).toBe(1)
  await scan(storage, { a: 30 }, 500)
  await read()
  expect(reads).toBe(2)
  const refuse = () => {
    throw new Error('A store was read')
  }
  const noStore = new Proxy({}, { get: refuse }) as never
  const selectFrom = (table: 'apiTokens') => (table === 'apiTokens' ? db.selectFrom(table) : noStore)
  const onlyTokens = new Proxy(db, { get: (of, name) => (name === 'selectFrom' ? selectFrom : Reflect.get(of, name)) })
  const { token } = (await admin('POST', '/api/v1/apiTokens', { name: 'monitoring', roles: ['ROLE_METRICS'] })).body
  await db.updateTable('apiTokens').set({ lastUsedAt: new Date() }).execute()
  const withoutStores = request(createApp({ ...platform, db: onlyTokens, clickhouse: noStore }, []))
  const { text } = await withoutStores.get('/actuator/prometheus').set('Authorization', `Bearer ${token}`).expect(200)
  expect(scraped(text).get(keyOf('folder_bytes', 'Counted', '/a'))).toBe(30)
})

test('changes are followed', async () => {
  const followed = startMetrics(platform)
  try {
    const storage = await newVolume(platform, 'Followed')
    platform.live({ type: 'changed', topics: ['volumes'] })
    await expect.poll(() => valueOf('storage_added_timestamp_seconds', 'Followed'), { timeout: 5_000 }).toBeDefined()
    await scan(storage, { a: 3 }, 500)
    await choose([{ storageId: storage, path: '/a' }]).expect(204)
    await expect.poll(() => valueOf('folder_bytes', 'Followed', '/a'), { timeout: 5_000 }).toBe(3)
  } finally {
    await followed.stop()
  }
})

test('administrators choose up to 1,000 folders of storages, which the event log folds to', async () => {
  const storage = await newVolume(platform, 'Chosen')
  const folders = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ storageId: storage, path: `/${index}` }))
  const refused = await choose(folders(1_001)).expect(400)
  expect(refused.body.subErrors).toEqual([expect.objectContaining({ message: 'must be at most 1000 folders' })])
  const unknown = await choose([...folders(1), { storageId: 999_999, path: '/a' }]).expect(400)
  expect(unknown.body.subErrors).toEqual([
    expect.objectContaining({ field: 'folders.1.storageId', message: 'is unknown' }),
  ])
  await asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))('GET', '/api/v1/metrics/folders').expect(403)
  await choose(folders(1_000)).expect(204)
  await choose([...folders(2), ...folders(2)]).expect(204)
  await choose(folders(2)).expect(204)
  const events = await readStream<{ after: { folders: object[] } }>(db, 'metrics')
  const last = events.at(-1)?.event.after.folders
  expect(await get('/v1/metrics/folders')).toEqual(
    folders(2).map((folder): MetricFolder => ({ ...folder, storageName: 'Chosen', bytes: null })),
  )
  expect(last).toEqual(folders(2))
  await choose([]).expect(204)
  expect((await readStream(db, 'metrics')).length).toBe(events.length + 1)
})
