import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import { noFilters } from '#events/search/filters.ts'
import { sizesBySearch } from '#server/questions/search/sizesBySearch.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, type Folder, scanFolders } from './oracle/scanFolders.ts'
import { snapshotAt } from './reading/snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const day = '2026-03-01'
const folder = (path: string): File => ({ path, isDirectory: true, size: 0 })
const notEnteredOf = async (scanId: number) =>
  (await stores.db.selectFrom('scans').select('notEntered').where('id', '=', scanId).executeTakeFirstOrThrow())
    .notEntered

test('folders that a scan did not enter are marked and counted, and stay so outside of a later partial scan', async () => {
  const volumeId = await newVolume(stores, 'marked')
  const first = await scanFolders(stores, { volumeId, indexingDate: day }, [
    { path: '', entries: [folder('/proc'), folder('/t'), folder('/a')] },
    { path: '/proc', entries: [], notEntered: 'kernel:proc' },
    { path: '/t', entries: [], notEntered: 'fileSystem:tmpfs' },
    { path: '/a', entries: [folder('/a/up')] },
    { path: '/a/up', entries: [], notEntered: 'sameFolder:/' },
  ])
  const found = [
    { path: '/a/up', reason: 'sameFolder', detail: '/' },
    { path: '/t', reason: 'fileSystem', detail: 'tmpfs' },
  ]
  expect(await notEnteredOf(first)).toEqual({ count: 2, folders: found })
  const second = await scanFolders(stores, { volumeId, indexingDate: day, scannedPath: '/a' }, [
    { path: '/a', entries: [] },
  ])
  expect(await notEnteredOf(second)).toEqual({ count: 1, folders: [found[1]] })
  const rows = await stores.clickhouse.rows<{ path: string; reason: string }>(sql`
    SELECT concat(parent_path, name) AS path, not_entered AS reason FROM entries
    WHERE volume = ${volumeId} AND not_entered != '' ORDER BY path LIMIT 1 BY path`)
  expect(rows).toContainEqual({ path: '/t', reason: 'fileSystem:tmpfs' })
})

test('a file that two storages show is not a copy of itself, and a real copy counts once', async () => {
  const [outer, inner] = [await newVolume(stores, 'outer'), await newVolume(stores, 'inner')]
  const at = (path: string, name: string, size = 5_000): File => ({ path: `${path}/${name}`, size })
  const scan = (volumeId: number, root: string | undefined, folders: Folder[]) =>
    scanFolders(stores, { volumeId, indexingDate: day }, folders, async () => {
      const announced = JSON.stringify({ places: [{ path: '', fileSystem: '/dev/sda', root }] })
      if (root !== undefined)
        await stores.db.updateTable('scans').set({ announced }).where('volumeId', '=', volumeId).execute()
    })
  const scanOuter = (root: string | undefined, more: File[]) =>
    scan(outer, root, [
      { path: '', entries: [folder('/p'), ...more] },
      { path: '/p', entries: [at('/p', 'one'), at('/p', 'two', 7_000)] },
    ])
  const scanInner = (root?: string) => scan(inner, root, [{ path: '', entries: [at('', 'one'), at('', 'two', 7_000)] }])
  const duplicates = async (volumeId: number[] = [outer, inner]) => {
    const snapshot = await snapshotAt(stores.db, 'everything', day)
    if (!snapshot) throw new Error('No snapshot')
    const filters = { ...noFilters, onlyDuplicates: true, volumeId }
    const selection = await selectEntries(stores, snapshot, filters, 'files')
    return sizesBySearch(stores.clickhouse, selection)
  }
  await scanOuter(undefined, [])
  await scanInner()
  expect(await duplicates()).toMatchObject({ count: 4 })
  await scanOuter('/data', [])
  await scanInner('/data/p')
  expect(await duplicates()).toMatchObject({ count: 0, reclaimable: 0 })
  await scanOuter('/data', [at('', 'one')])
  expect(await duplicates()).toMatchObject({ count: 2, size: 10_000, reclaimable: 5_000 })
  expect(await duplicates([outer])).toMatchObject({ count: 2, size: 10_000, reclaimable: 5_000 })
})
