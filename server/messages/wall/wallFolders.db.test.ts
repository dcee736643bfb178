import { expect, test } from 'vitest'
import type { WallStorage } from '#events/wall.ts'
import { createApp } from '#server/app.ts'
import { testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newHistory } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { asUser, testSession } from '#server/testing.ts'
import { wallRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, wallRoutes(platform)), await testSession(platform.db, []))
const foldersNow = async (): Promise<WallStorage[]> => (await ask('GET', '/api/v1/wall/folders').expect(200)).body

test('before the first snapshot no storage has folders', async () => {
  expect(await foldersNow()).toEqual([])
})

test('the largest top-level folders of each storage are from the newest snapshot', async () => {
  const dates = ['2026-01-01', '2026-01-20']
  const history = await newHistory(platform, newRandom(testSeed(19)), { dates, disks: 2, entries: 90 })
  const newest = [...history.dates.values()].at(-1) ?? []
  const expected = newest.map(({ volumeId, rows }) => ({
    volumeId,
    sizes: [...rows.values()]
      .filter(({ parentPath, name, isDirectory, size }) => parentPath === '/' && name !== '' && isDirectory && size > 0)
      .map(({ size }) => size)
      .sort((a, b) => b - a)
      .slice(0, 12),
  }))
  const found = await foldersNow()
  const sizes = found.map(({ volumeId, folders }) => ({ volumeId, sizes: folders.map(({ size }) => size) }))
  expect(sizes.flatMap(({ sizes }) => sizes).length).toBeGreaterThan(0)
  expect(sizes.sort((a, b) => a.volumeId - b.volumeId)).toEqual(expected.sort((a, b) => a.volumeId - b.volumeId))
})
