import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { comparisonRoutes } from '#server/questions/comparison/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { overviewRoutes } from './index.ts'

const platform = await testPlatform()
const app = createApp(platform, [...overviewRoutes(platform), ...comparisonRoutes(platform)])
const ask = asUser(app, await testSession(platform.db, []))
const seconds = (day: string) => Date.parse(day) / 1000
let [films, late] = [0, 0]

const scan = (volumeId: number, indexingDate: string, files: File[]) =>
  scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [{ path: '/a', isDirectory: true }] },
    { path: '/a', entries: files },
  ])
const file = (name: string, size: number, accessed = '2026-05-01'): File => ({
  path: `/a/${name}`,
  size,
  accessed: seconds(accessed),
})

beforeAll(async () => {
  films = await newVolume(platform, 'Films')
  late = await newVolume(platform, 'Late')
  await scan(films, '2026-05-01', [file('old', 5, '2026-01-01')])
  await scan(films, '2026-05-10', [file('old', 5, '2026-01-01'), file('new', 20)])
  await scan(films, '2026-05-20', [file('old', 5, '2026-01-01'), file('new', 20), file('newer', 30)])
})

const history = async (query: Record<string, string> = {}) =>
  (await ask('GET', `/api/v1/dashboard/history?${new URLSearchParams(query)}`)).body

test('figures of a period start at its first snapshot and end at the newest one', async () => {
  expect(await history()).toMatchObject([
    { indexingDate: '2026-05-01', files: 1, used: null, duplicates: 0, cold: [5, 0, 0] },
    { indexingDate: '2026-05-10', files: 2, cold: [5, 0, 0] },
    { indexingDate: '2026-05-20', files: 3, duplicates: 0, cold: [5, 0, 0] },
  ])
  expect(await history({ days: '10' })).toMatchObject([{ indexingDate: '2026-05-10' }, { indexingDate: '2026-05-20' }])
  expect(await history({ indexingDate: '2026-05-01' })).toEqual([])
})

test('a storage added in between does not count as growth', async () => {
  await scan(late, '2026-05-21', [file('big', 900)])
  const figures: { files: number; duplicates: number | null }[] = await history()
  expect(figures.map(({ files }) => files)).toEqual([1, 2, 3, 3])
  expect(figures.at(-1)?.duplicates).toBeNull()
  expect(await history({ storageId: String(late) })).toEqual([])
})

test('growing folders name the place of the growth, and leave out added storages', async () => {
  const { body } = await ask('GET', '/api/v1/comparisons/2026-05-10/growing')
  expect(body).toEqual({
    folders: [{ volumeId: films, volumeName: 'Films', path: '/a', growth: 30, size: 55 }],
    indexingDate: '2026-05-21',
    previousIndexingDate: '2026-05-10',
  })
})
