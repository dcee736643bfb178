import { beforeAll, expect, test } from 'vitest'
import { type EntryPage, resultWindow } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, searchRoutes(platform)), await testSession(platform.db, []))
const page = async (query: string): Promise<EntryPage> => (await ask('GET', `/api/files/search?${query}`)).body
const sizes = ({ elements }: EntryPage) => elements.map(({ size }) => size)

/** One file of each size, more than pages reach. */
const files = resultWindow + 5

beforeAll(async () => {
  const volumeId = await newVolume(platform, 'Films')
  const entries = Array.from({ length: files }, (_, at) => ({ path: `/${at + 1}.mov`, size: at + 1, inode: at + 2 }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries }])
})

test('pages reach the ten thousandth file, and the cursor of the last page continues', async () => {
  const last = await page('sort=size,asc&size=1000&page=10')
  expect(last).toMatchObject({ page: 10, size: 1000, total: files })
  expect(sizes(last)).toEqual(Array.from({ length: 1000 }, (_, at) => 9_001 + at))
  const rest = await page(`sort=size,asc&size=1000&page=11&cursor=${last.cursor}`)
  expect(sizes(rest)).toEqual([10_001, 10_002, 10_003, 10_004, 10_005])
  expect(rest).toMatchObject({ total: files, cursor: null })
})

test('a page that ends beyond it is whole, and one that begins there is refused by name', async () => {
  const across = await page('sort=size,asc&size=300&page=34')
  expect([sizes(across)[0], across.elements.length]).toEqual([9_901, 105])
  for (const [size, most] of [
    [300, 34],
    [1000, 10],
    [1, resultWindow],
  ]) {
    const { status, body } = await ask('GET', `/api/files/search?size=${size}&page=${Number(most) + 1}`)
    const message = `must be at most ${most} for pages of ${size}; use the cursor to continue`
    expect([status, body]).toEqual([400, { message: 'Validation errors', subErrors: [{ field: 'page', message }] }])
  }
})
