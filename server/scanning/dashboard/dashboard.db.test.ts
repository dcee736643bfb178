import { expect, test } from 'vitest'
import type { ScanRecord } from '#events/scans/calls.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { scanRecord } from '#server/scanning/scans/scanRecord.ts'
import { readDashboard, readTrends } from './index.ts'

const db = await testDb()
let task = 0
async function scan(volumeId: number, indexingDate: string, state: ScanRecord['state'], more: object = {}) {
  const row = { volumeId, indexingDate, state, jobId: 1, taskId: ++task, agentId: 1, ...more }
  return (await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()).id
}
const show = (indexingDate: string, volumeId: number, scanId: number) =>
  db.insertInto('snapshots').values({ indexingDate, volumeId, scanId }).execute()

const startedAt = new Date('2026-03-01T10:00:00Z')
const finishedAt = new Date('2026-03-01T10:00:02.500Z')

test('before the first scan there is nothing, and no date', async () => {
  expect(await readDashboard(db)).toEqual({ indexingDate: null, storages: [], scans: [] })
})

test('a date shows its storages as their scans found them; a date without a snapshot shows the one before', async () => {
  const films = await createFileStorage(db, { name: 'Films', path: '/films' })
  const audio = await createFileStorage(db, { name: 'Audio', path: '/audio' })
  const found = {
    files: 3,
    folders: 2,
    bytes: 9e15,
    countedBytes: 8e15,
    allocatedBytes: 7e15,
    capacityTotal: 2e16,
    capacityUsed: 1e16,
    fileSystem: 'north:1',
  }
  const old = await scan(films, '2026-03-01', 'partial', { ...found, startedAt, finishedAt })
  const other = await scan(audio, '2026-03-02', 'done', { startedAt, finishedAt })
  await show('2026-03-01', films, old)
  await show('2026-03-02', films, old)
  await show('2026-03-02', audio, other)
  const { indexingDate, storages } = await readDashboard(db)
  expect(indexingDate).toBe('2026-03-02')
  expect(storages.map(({ name }) => name)).toEqual(['Audio', 'Films'])
  expect(storages[1]).toEqual({
    volumeId: films,
    name: 'Films',
    type: 'crawl.files',
    path: '/films',
    fullPath: '/films',
    total: 2e16,
    used: 1e16,
    free: null,
    fileSystem: 'north:1',
    sizeOfFiles: 9e15,
    sizeOnDisk: 7e15,
    billedSize: 7e15,
    countedSize: 8e15,
    numberOfFiles: 3,
    numberOfFolders: 2,
    isPartial: true,
    indexingDate: '2026-03-01',
  })
  const before = await readDashboard(db, '2026-03-01')
  expect(before.storages.map(({ name }) => name)).toEqual(['Films'])
  expect(before.scans.map(({ scanId }) => scanId)).toEqual([old])
  expect((await readDashboard(db, '2027-01-01')).indexingDate).toBe('2026-03-02')
  expect((await readDashboard(db, '2026-02-28')).indexingDate).toBeNull()
})

test('storages on one disk say the same of it: what the newest scan that the date shows has found', async () => {
  const [one, two] = [
    await createFileStorage(db, { name: 'One', path: '/disk/one' }),
    await createFileStorage(db, { name: 'Two', path: '/disk/two' }),
  ]
  const found = (capacityUsed: number) => ({ capacityTotal: 100, capacityUsed, capacityFree: 90 - capacityUsed })
  const disk = { fileSystem: 'north:7' }
  await show('2026-03-10', one, await scan(one, '2026-03-10', 'done', { ...disk, ...found(10) }))
  const newer = await scan(two, '2026-03-10', 'done', { ...disk, ...found(30) })
  const later = await scan(one, '2026-03-11', 'done', { ...disk, ...found(40) })
  await show('2026-03-10', two, newer)
  await show('2026-03-11', one, later)
  await show('2026-03-11', two, newer)
  const usedOn = async (day: string) => (await readDashboard(db, day)).storages.map(({ used, free }) => [used, free])
  expect(await usedOn('2026-03-10')).toEqual([
    [30, 60],
    [30, 60],
  ])
  expect(await usedOn('2026-03-11')).toEqual([
    [40, 50],
    [40, 50],
  ])
  const [, trend] = await readTrends(db, { scope: 'everything', indexingDate: '2026-03-11', days: 1 })
  expect(trend?.points.map(({ used }) => used)).toEqual([30, 40])
  await db.deleteFrom('snapshots').where('volumeId', 'in', [one, two]).execute()
})

test('a storage shows its location as its users write it', async () => {
  const share = await createFileStorage(db, { name: 'Share', path: '/shows' })
  const address = { type: 'NFS', host: 'nas', shareName: '/export', options: '', credentialId: null } as const
  await db
    .insertInto('networkVolumes')
    .values({ volumeId: share, ...address })
    .execute()
  await show('2026-03-12', share, await scan(share, '2026-03-12', 'done'))
  expect((await readDashboard(db, '2026-03-12')).storages).toMatchObject([
    { path: '/shows', fullPath: 'nas:/export/shows' },
  ])
  await db.deleteFrom('snapshots').where('volumeId', '=', share).execute()
})

test('a duration is unknown while a scan runs, and -1 if it did not complete', async () => {
  const volume = await createFileStorage(db, { name: 'Durations', path: '/durations' })
  const duration = async (state: ScanRecord['state']) => {
    const isOver = state !== 'running'
    const id = await scan(volume, '2026-03-03', state, { startedAt, ...(isOver && { finishedAt }) })
    return (await scanRecord(db, id))?.crawlDuration
  }
  expect(await duration('running')).toBeNull()
  expect(await duration('done')).toBe(2_500)
  expect(await duration('partial')).toBe(2_500)
  expect(await duration('failed')).toBe(-1)
  expect(await duration('cancelled')).toBe(-1)
  expect(await scanRecord(db, 999_999)).toBeUndefined()
})

test('the last 25 scans show, those that run before all', async () => {
  const volume = await createFileStorage(db, { name: 'Many', path: '/many' })
  const running = await scan(volume, '2026-03-04', 'running')
  for (let i = 0; i < 30; i++) await scan(volume, '2026-03-04', 'done', { startedAt, finishedAt })
  const { scans } = await readDashboard(db)
  expect(scans).toHaveLength(25)
  const ids = scans.map(({ scanId }) => scanId)
  expect(ids).toContain(running)
  const over = scans.filter(({ state }) => state === 'done').map(({ scanId }) => scanId)
  expect(over).toEqual([...over].sort((a, b) => b - a))
  expect(scans.slice(0, 2).every(({ state }) => state === 'running')).toBe(true)
})

test('a trend starts at the newest snapshot before its days, and ends at a date that shows the storage', async () => {
  const grown = await createFileStorage(db, { name: 'Grown', path: '/grown' })
  const gone = await createFileStorage(db, { name: 'Gone', path: '/gone' })
  const used = async (volumeId: number, date: string, capacityUsed: number | null, bytes: number) =>
    show(date, volumeId, await scan(volumeId, date, 'done', { capacityUsed, bytes, startedAt, finishedAt }))
  await used(grown, '2026-04-01', 5, 1)
  await used(gone, '2026-04-02', 9, 9)
  await used(grown, '2026-04-11', null, 2)
  await used(grown, '2026-04-12', 9e15, 8e15)
  const trends = (indexingDate: string | undefined, days: number) =>
    readTrends(db, { scope: 'everything', indexingDate, days })
  const [first, second, third] = [
    { indexingDate: '2026-04-01', used: 5, sizeOfFiles: 1 },
    { indexingDate: '2026-04-11', used: null, sizeOfFiles: 2 },
    { indexingDate: '2026-04-12', used: 9e15, sizeOfFiles: 8e15 },
  ]
  expect(await trends(undefined, 30)).toEqual([{ volumeId: grown, points: [first, second, third] }])
  expect(await trends(undefined, 10)).toEqual([{ volumeId: grown, points: [first, second, third] }])
  expect(await trends(undefined, 1)).toEqual([{ volumeId: grown, points: [second, third] }])
  expect(await trends('2026-04-11', 10)).toEqual([{ volumeId: grown, points: [first, second] }])
  expect(await trends('2026-02-01', 10)).toEqual([])
})

test('a storage is full in the days that its own scans show, not those that repeat an older scan', async () => {
  const full = await createFileStorage(db, { name: 'Full', path: '/full' })
  const scanned = (date: string, capacityUsed: number) =>
    scan(full, date, 'done', { capacityTotal: 1_000, capacityUsed, capacityFree: 1_000 - capacityUsed })
  let last = 0
  for (const [index, date] of ['06-01', '06-03', '06-05', '06-07'].entries()) {
    last = await scanned(`2026-${date}`, 420 + 20 * index)
    await show(`2026-${date}`, full, last)
  }
  for (const date of ['06-08', '06-09']) await show(`2026-${date}`, full, last)
  const forecast = async (date: string) => (await readDashboard(db, date)).storages[0]?.forecast
  expect(await forecast('2026-06-09')).toBeUndefined()
  await show('2026-06-11', full, await scanned('2026-06-11', 520))
  const found = await forecast('2026-06-11')
  expect(found?.days).toBeCloseTo(48)
  expect(found?.latest).toBeCloseTo(48)
  await db.deleteFrom('snapshots').where('volumeId', '=', full).execute()
})
