import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { storageRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, storageRoutes(platform)), await testSession(platform.db, []))
const volumeId = await newVolume(platform, 'odd')
await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries: [{ path: "/a.'; --" }] }])

const long = 'x'.repeat(10_000)
const details = `/api/v1/detailedVolumes/${volumeId}`
const storages = '/api/v1/storages'
const active = '/api/v1/volumes/mostActiveVolumes'

test.each([
  [details, 'from', 'x'],
  [details, 'to', '2026-13-01'],
  [details, 'from', "2026-01-01' OR '1'='1"],
  [details, 'to', long],
  [details, 'indexingDate', '2026-1-1'],
  [details, 'page', '0'],
  [details, 'size', '1001'],
  [details, 'sort', 'indexing_date;DROP TABLE scans'],
  [details, 'sort', 'constructor'],
  [details, 'sort', long],
  [details, 'direction', 'sideways'],
  [details, 'statistics', 'maybe'],
  [storages, 'size', '1e9'],
  [storages, 'size', '-1'],
  [storages, 'sort', 'NAME; --'],
  [storages, 'sort', '__proto__'],
  [storages, 'direction', long],
  [storages, 'endCursor', '*'],
  [storages, 'indexingDate', 'infinity'],
  [storages, 'unknown', '1'],
  [active, 'duration', '1.5'],
  [active, 'duration', '99999999999'],
  [active, 'duration', '1 day'],
  [active, 'size', '0'],
  [active, 'type', 'weeks'],
  [active, 'indexingDate', long],
])('%s refuses an odd %s: %.40s', async (path, field, value) => {
  const { status, body } = await ask('GET', `${path}?${field}=${encodeURIComponent(value)}`)
  expect([status, body.subErrors?.map((error: { field: string }) => error.field)]).toEqual([400, [field]])
})

test.each([
  [details, 'from=0001-01-01&to=9999-12-31', 1],
  [details, 'from=9999-12-31&to=0001-01-01', 0],
  [details, 'page=9007199254740991&size=1000', 0],
  [storages, 'indexingDate=9999-12-31', 1],
  [storages, 'indexingDate=0001-01-01', 1],
])('%s?%s is odd and means what it says', async (path, query, found) => {
  const { body } = await ask('GET', `${path}?${query}`).expect(200)
  expect(body.elements).toHaveLength(found)
})

test('the earliest and the latest day are days', async () => {
  for (const day of ['0001-01-01', '9999-12-31'])
    expect((await ask('GET', `${active}?duration=36500&indexingDate=${day}`).expect(200)).body).toEqual([])
})
