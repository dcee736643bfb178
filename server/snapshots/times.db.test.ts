import { beforeAll, expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { asEntries, entryColumns, type EntryRecord } from '#server/entries/entryRecord.ts'
import { selectEntries } from '#server/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { measureFolders } from '#server/projects/figures/measureFolders.ts'
import { sizesBySearch } from '#server/search/sizesBySearch.ts'
import { readStatistics } from '#server/storages/readStatistics.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, scanFolders } from './oracle/scanFolders.ts'
import { snapshotAt } from './reading/snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const day = '2026-03-01'
const at = (text: string) => Date.parse(text) / 1_000
const old = at('2020-05-01T12:00Z')
const times = (moment: number) => ({ created: moment, modified: moment, accessed: moment })
const folder = (path: string): File => ({ path, isDirectory: true, size: 0, ...times(old) })

test('times after the scan, in the year 1, and missing ones of objects are not known, and count as neither old nor new', async () => {
  const volumeId = await newVolume(stores, 'clocks')
  const entries: File[] = [
    { path: '/deep/real', size: 1, ...times(old) },
    { path: '/deep/tomorrow', size: 2, ...times(at('2026-03-01T20:00Z')) },
    { path: '/deep/f2099', size: 4, ...times(at('2099-01-01T00:00Z')) },
    { path: '/deep/year1', size: 8, ...times(at('0001-01-01T00:00Z')) },
    { path: '/deep/object', size: 16, inode: 0, ...times(0) },
    { path: '/deep/epoch', size: 32, ...times(0) },
  ]
  const startedAt = new Date('2026-03-01T10:00Z')
  const scanId = await scanFolders(stores, { volumeId, indexingDate: day, startedAt }, [
    { path: '', entries: [folder('/deep')] },
    { path: '/deep', entries },
  ])
  const snapshot = await snapshotAt(stores.db, day)
  if (!snapshot) throw new Error('No snapshot')
  const records = await stores.clickhouse.rows<EntryRecord>(
    sql`SELECT ${entryColumns} FROM entries WHERE volume = ${volumeId} ORDER BY parent_path, name`,
  )
  const shown = await asEntries(stores.clickhouse, records, { snapshot, deleted: false })
  expect(Object.fromEntries(shown.map(({ path, lastModified }) => [path, lastModified]))).toEqual({
    '/': '2026-03-01T20:00:00.000Z',
    '/deep': '2026-03-01T20:00:00.000Z',
    '/deep/real': '2020-05-01T12:00:00.000Z',
    '/deep/tomorrow': '2026-03-01T20:00:00.000Z',
    '/deep/f2099': null,
    '/deep/year1': null,
    '/deep/object': null,
    '/deep/epoch': '1970-01-01T00:00:00.000Z',
  })
  const search = async (more: object) => {
    const filters = { ...noFilters, ...more }
    return (await sizesBySearch(stores.clickhouse, await selectEntries(stores.db, snapshot, filters, 'files'), filters))
      .size
  }
  expect(await search({ lastModifiedAfter: '2026-01-01' })).toBe(2)
  expect(await search({ lastModifiedBefore: '2026-01-01' })).toBe(1 + 32)
  expect(await search({ lastAccessBefore: '2026-01-01' })).toBe(1 + 32)
  expect(await search({ creationAfter: '2026-01-01' })).toBe(2)
  const statistics = (await readStatistics(stores.clickhouse, volumeId, [{ indexingDate: day, scanId }]))(day)
  expect(statistics.MODIFIED_DATE['unknown']).toEqual({ numberOfFiles: 3, sizeOfFiles: 4 + 8 + 16 })
  expect(statistics.ACCESS_DATE['unknown']).toEqual({ numberOfFiles: 3, sizeOfFiles: 4 + 8 + 16 })
  const [figures] = await measureFolders(stores.clickhouse, snapshot, { volumeId, paths: ['/deep'] })
  expect(figures?.lastModified).toBe(at('2026-03-01T20:00Z'))
  const counted = Object.values(figures?.statistics.MODIFIED_DATE ?? {})
  expect(counted.reduce((sum, { sizeOfFiles }) => sum + sizeOfFiles, 0)).toBe(1 + 2 + 32)
})
