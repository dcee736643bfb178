import { beforeAll, expect, test } from 'vitest'
import { maxStoredBytes } from '#events/scans/entryLimits.ts'
import { noFilters } from '#events/search/filters.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { measureFolders } from '#server/work/projects/figures/measureFolders.ts'
import { byField } from '#server/questions/search/byField.ts'
import { sizesBySearch } from '#server/questions/search/sizesBySearch.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, scanFolders } from './oracle/scanFolders.ts'
import { snapshotAt } from './reading/snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const day = '2026-03-01'
const folder = (path: string): File => ({ path, isDirectory: true, size: 0 })
const link = (path: string): File => ({ path, size: 20_000, allocatedSize: 20_480, linkCount: 10, inode: 77 })

/** `d.0` to `d.9` have a link of the same file each; `d.0` also has one of its own. */
async function scanLinks(): Promise<number> {
  const volumeId = await newVolume(stores, 'linked')
  const folders = Array.from({ length: 10 }, (_, n) => `/r/d.${n}`)
  await scanFolders(stores, { volumeId, indexingDate: day }, [
    { path: '', entries: [folder('/r')] },
    { path: '/r', entries: folders.map(folder) },
    ...folders.map((path, n) => ({
      path,
      entries: [link(`${path}/f`), ...(n === 0 ? [{ path: `${path}/alone`, size: 500, allocatedSize: 512 }] : [])],
    })),
  ])
  return volumeId
}

async function shown() {
  const snapshot = await snapshotAt(stores.db, 'everything', day)
  if (!snapshot) throw new Error('No snapshot')
  return snapshot
}

test('hard links count once in each folder, in searches, in projects and in the storage, as in du', async () => {
  const volumeId = await scanLinks()
  const snapshot = await shown()
  const rows = await stores.clickhouse.rows<{ path: string; size: number; allocated: number }>(sql`
    SELECT concat(parent_path, name) AS path, toFloat64(size) AS size, toFloat64(allocated_size) AS allocated
    FROM entries WHERE volume = ${volumeId} AND is_directory AND path IN ('', '/r', '/r/d.0', '/r/d.5') ORDER BY path`)
  expect(rows).toEqual([
    { path: '', size: 20_500, allocated: 20_992 },
    { path: '/r', size: 20_500, allocated: 20_992 },
    { path: '/r/d.0', size: 20_500, allocated: 20_992 },
    { path: '/r/d.5', size: 20_000, allocated: 20_480 },
  ])
  const filters = { ...noFilters, volumeId: [volumeId] }
  const search = async (more: object) => {
    const found = { ...filters, ...more }
    const selection = await selectEntries(stores, snapshot, found, 'files')
    return sizesBySearch(stores.clickhouse, selection)
  }
  expect(await search({})).toMatchObject({ count: 11, size: 20_500 })
  expect(await search({ name: 'f' })).toMatchObject({ size: 20_000 })
  expect(await search({ startingPath: '/r/d.5' })).toMatchObject({ count: 1, size: 20_000 })
  const all = await selectEntries(stores, snapshot, filters, 'files')
  expect(await byField(stores.clickhouse, all, 'owner', 5)).toMatchObject([{ size: 20_500, count: 11 }])
  const paths = ['/r', '/r/d.5']
  const figures = await measureFolders(stores.clickhouse, snapshot, { volumeId, paths })
  expect(figures.map(({ bytes }) => bytes)).toEqual([20_500, 20_000])
  const ages = figures.map(({ statistics }) =>
    Object.values(statistics.MODIFIED_DATE).reduce((sum, { sizeOfFiles }) => sum + sizeOfFiles, 0),
  )
  expect(ages).toEqual([20_500, 20_000])
  expect(figures[0]?.statistics.DUPLICATE).toMatchObject({ reclaimable: { numberOfFiles: 0, sizeOfFiles: 0 } })
  const scan = await stores.db
    .selectFrom('scans')
    .selectAll()
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  expect(scan).toMatchObject({ bytes: 20_500, countedBytes: 20_500, allocatedBytes: 20_992 })
})

test('sums of bytes beyond 64 bits are the largest number, and never negative', async () => {
  const volumeId = await newVolume(stores, 'huge')
  const huge = (path: string): File => ({ path, size: 2 ** 62, allocatedSize: 0 })
  await scanFolders(stores, { volumeId, indexingDate: day }, [
    { path: '', entries: [folder('/x')] },
    { path: '/x', entries: ['/x/1', '/x/2', '/x/3'].map(huge) },
  ])
  const scan = await stores.db
    .selectFrom('scans')
    .selectAll()
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  expect(scan.bytes).toBe(maxStoredBytes)
  const snapshot = await shown()
  const filters = { ...noFilters, volumeId: [volumeId] }
  const all = await selectEntries(stores, snapshot, filters, 'files')
  expect((await sizesBySearch(stores.clickhouse, all)).size).toBe(3 * 2 ** 62)
  expect(await byField(stores.clickhouse, all, 'owner', 5)).toMatchObject([{ size: 3 * 2 ** 62 }])
  const [figures] = await measureFolders(stores.clickhouse, snapshot, { volumeId, paths: ['/x'] })
  expect(figures?.bytes).toBeGreaterThan(9e18)
})
