import { beforeAll, expect, test } from 'vitest'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testSearch } from './testing.ts'

const platform = await testPlatform()
const { ask, get, post } = await testSearch(platform)
const names = ({ elements }: { elements: { name: string }[] }) => elements.map(({ name }) => name).toSorted()

const noonOf = (day: string) => new Date(`${day}T12:00:00`).getTime() / 1000
const at = (day: string) => ({ modified: noonOf(day), accessed: noonOf(day) })

beforeAll(async () => {
  const volumeId = await newVolume(platform, 'Films')
  const entries = [
    { path: '/edge.mov', size: 1, ...at('2025-09-30') },
    { path: '/before.mov', size: 10, ...at('2025-09-29') },
    { path: '/new.wav', size: 100, ...at('2026-03-30') },
  ]
  for (const indexingDate of ['2026-03-30', '2026-04-30'])
    await scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])
})

test('relative days are counted from the snapshot that is searched, not from today', async () => {
  const cold = '/files/search?lastModifiedBefore=now-6M'
  expect(names(await get(`${cold}&indexingDate=2026-03-30`))).toEqual(['before.mov'])
  expect(names(await get(`${cold}&indexingDate=2026-04-30`))).toEqual(['before.mov', 'edge.mov'])
  expect(names(await get('/files/search?lastModifiedAfter=now-7d&indexingDate=2026-03-30'))).toEqual(['new.wav'])
  expect(names(await get('/files/search?lastModifiedAfter=now-1M&indexingDate=2026-04-30'))).toEqual(['new.wav'])
  expect(names(await get('/files/search?lastModifiedAfter=now-4w&indexingDate=2026-04-30'))).toEqual([])
})

test('conditions, sizes and charts read relative days in the same way', async () => {
  const criteria = [{ isDirectory: { value: false } }, { lastModifiedDate: { before: 'now-6M' } }]
  expect(names(await post('/v1/search?indexingDate=2026-03-30', criteria))).toEqual(['before.mov'])
  expect(await post('/v1/search/sizes?indexingDate=2026-04-30', criteria)).toMatchObject({ count: 2, size: 11 })
  for (const field of ['lastAccess', 'lastModified'])
    expect(await get(`/files/search/sizes?${field}Before=now-6M&indexingDate=2026-04-30`)).toMatchObject({ size: 11 })
  const chart = '/files/search/dates?dateField=lastModified&dateIntervalType=MONTH&size=2&indexingDate=2026-03-30'
  const september = [
    { date: '2025-08-01', size: 0, count: 0 },
    { date: '2025-09-01', size: 10, count: 1 },
  ]
  expect(await get(`${chart}&lastModifiedBefore=now-6M`)).toEqual(september)
  expect(await get(`${chart}&lastModifiedBefore=2025-09-30`)).toEqual(september)
})

test('scans of a day are found by relative days too', async () => {
  const scanned = (indexingDate: object) => [{ isDirectory: { value: false } }, { indexingDate }]
  const total = async (criteria: unknown) => (await post('/v1/search?indexingDate=2026-04-30', criteria)).total
  expect(await total(scanned({ after: 'now-7d' }))).toBe(3)
  expect(await total(scanned({ before: 'now-0d' }))).toBe(0)
})

test('a day that is neither fixed nor relative is refused with both forms', async () => {
  const { status, body } = await ask('GET', '/api/files/search?lastAccessBefore=yesterday')
  const message = 'must be a date of the form yyyy-MM-dd, or relative to the snapshot, such as now-6M'
  expect([status, body.subErrors]).toEqual([400, [{ field: 'lastAccessBefore', message }]])
})

test('before the first snapshot a relative search finds nothing', async () => {
  const before = '/files/search?lastAccessBefore=now-6M&indexingDate=2020-01-01'
  expect(names(await get(before))).toEqual([])
})
