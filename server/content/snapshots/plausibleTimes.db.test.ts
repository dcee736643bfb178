import { expect, test } from 'vitest'
import { Criteria } from '#events/search/criteria.ts'
import { noFilters, type SearchFilters } from '#events/search/filters.ts'
import { createApp } from '#server/app.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { findDominantBelow } from '#server/questions/folders/dominantBelow.ts'
import { folderVersions } from '#server/questions/folders/folderVersions.ts'
import { listEntries } from '#server/content/entries/listEntries.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import { daysBefore } from '#events/contract/days.ts'
import { today } from '#server/platform/days.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { measureFolders } from '#server/work/projects/figures/measureFolders.ts'
import { byPeriod } from '#server/questions/search/byPeriod.ts'
import { selectByCriteria } from '#server/content/entries/selectEntries.ts'
import { sizesBySearch } from '#server/questions/search/sizesBySearch.ts'
import { filesBefore, storageRoutes } from '#server/scanning/storages/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, scanFolders } from './oracle/scanFolders.ts'
import { snapshotOrEmpty } from './reading/snapshotAt.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const ask = asUser(createApp(platform, storageRoutes(platform)), await testSession(db, []))

const at = (text: string): number => Date.parse(text) / 1000
const now = Math.floor(Date.now() / 1000)
const day = today()
const hour = 3_600
const known = at('2024-05-01T10:00:00Z')
const times = (seconds: number) => ({ created: seconds, modified: seconds, accessed: seconds })

async function scan(name: string, files: File[]): Promise<number> {
  const volumeId = await newVolume({ db }, name)
  await scanFolders({ db, clickhouse }, { volumeId, indexingDate: day }, [
    { path: '', entries: [{ path: '/in', isDirectory: true, size: 0, ...times(known) }] },
    { path: '/in', entries: files },
  ])
  return volumeId
}

async function open(volumeId: number) {
  const snapshot = await snapshotOrEmpty(db, 'everything')
  const select = (filters: Partial<SearchFilters>, kind: 'files' | 'folders' = 'files') =>
    selectEntries(platform, snapshot, { ...noFilters, volumeId: [volumeId], ...filters }, kind)
  const count = async (filters: Partial<SearchFilters>) =>
    (await sizesBySearch(clickhouse, await select(filters))).count
  const list = async (kind: 'files' | 'folders') =>
    (await listEntries(clickhouse, await select({}, kind), { page: 1, size: 100 }, { sort: 'name', direction: 'asc' }))
      .elements
  const [details] = (await ask('GET', `/api/v1/detailedVolumes/${volumeId}`).expect(200)).body.elements as [
    DetailedVolume,
  ]
  return { snapshot, select, count, list, details }
}

test('a date after the scan, before 1970 or at 0 is unknown: in lists, folders, filters, charts, ages and projects', async () => {
  const odd = [at('2099-01-01T00:00:00Z'), now + 26 * hour, 0, -1, at('1601-01-01T00:00:00Z'), 2 ** 40]
  const files = odd.map((seconds, n): File => ({ path: `/in/odd${n}`, ...times(seconds) }))
  const volumeId = await scan('odd dates', [
    ...files,
    { path: '/in/right', ...times(known) },
    { path: '/in/tomorrow', ...times(now + 20 * hour), accessed: known },
  ])
  const { snapshot, select, count, list, details } = await open(volumeId)

  const shown = await list('files')
  const isOdd = ({ name }: { name: string }) => name.startsWith('odd')
  for (const { lastModified, lastAccess, creationDate } of shown.filter(isOdd))
    expect([lastModified, lastAccess, creationDate]).toEqual([null, null, null])
  expect(shown.filter(({ lastModified }) => lastModified === null).every(isOdd)).toBe(true)
  const [folder] = await list('folders')
  expect(folder).toMatchObject({ lastAccess: '2024-05-01T10:00:00.000Z' })
  expect(folder?.lastModified?.slice(0, 4)).not.toBe('2099')

  const bounds = { After: '0001-01-01', Before: '9999-01-01' }
  for (const field of ['lastModified', 'lastAccess', 'creation'] as const)
    for (const [bound, date] of Object.entries(bounds)) expect(await count({ [`${field}${bound}`]: date })).toBe(2)
  expect(await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', daysBefore(day, 30), [volumeId])).toMatchObject([
    { count: 1 },
  ])
  const years = await byPeriod(clickhouse, await select({}), {
    dateField: 'lastModified',
    dateIntervalType: 'YEAR',
    size: 100,
    before: '2107-01-01',
  })
  expect(years.reduce((sum, { count }) => sum + count, 0)).toBe(2)

  for (const dimension of ['MODIFIED_DATE', 'ACCESS_DATE', 'CREATION_DATE'] as const)
    expect(details.statistics[dimension]['unknown']).toMatchObject({ numberOfFiles: odd.length })
  expect(details.statistics.MODIFIED_DATE['older']).toBeUndefined()

  const [figures] = await measureFolders(clickhouse, snapshot, { volumeId, paths: ['/in'] })
  expect(figures?.lastAccess).toBe(known)
  const aged = Object.values(figures?.statistics.MODIFIED_DATE ?? {}).reduce(
    (sum, { numberOfFiles }) => sum + numberOfFiles,
    0,
  )
  expect(aged).toBe(2)
})

test('a file that was changed after its last access was used then: in filters, queries, counts, charts, ages and projects', async () => {
  const years = (count: number) => now - count * 366 * 86_400
  const file = (name: string, accessed: number, modified: number): File => ({
    path: `/in/${name}`,
    size: 5,
    created: years(13),
    modified,
    accessed,
  })
  const volumeId = await scan('written', [
    file('written', years(12), now - hour),
    file('read', now - hour, years(12)),
    file('unused', years(12), years(12)),
    file('unknown', 0, now - hour),
    file('undated', years(12), 0),
  ])
  const { snapshot, select, count, list, details } = await open(volumeId)
  const before = daysBefore(day, 366)
  const names = async (filters: Partial<SearchFilters>) =>
    (
      await listEntries(clickhouse, await select(filters), { page: 1, size: 9 }, { sort: 'name', direction: 'asc' })
    ).elements.map(({ name }) => name)
  expect(await names({ lastAccessBefore: before })).toEqual(['undated', 'unused'])
  expect(await names({ lastAccessAfter: before })).toEqual(['read', 'written'])
  expect([await count({ lastAccessBefore: before }), await count({ lastAccessBefore: before, name: 'u' })]).toEqual([
    2, 2,
  ])
  expect(await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', before, [volumeId])).toMatchObject([{ count: 2 }])
  const folders = await select({ lastAccessAfter: before }, 'folders')
  expect(
    (await listEntries(clickhouse, folders, { page: 1, size: 9 }, { sort: 'name', direction: 'asc' })).elements,
  ).toHaveLength(1)
  const unused = Criteria.parse({ searchOperator: 'AND', searchQueries: [{ lastAccessDate: { before } }] })
  const matched = await selectByCriteria(db, snapshot, unused)
  const page = await listEntries(clickhouse, matched, { page: 1, size: 99 }, { sort: 'name', direction: 'asc' })
  const ofStorage = page.elements.filter((entry) => entry.volumeId === volumeId)
  expect(ofStorage.map(({ name }) => name)).toEqual(['undated', 'unused'])
  const chart = await byPeriod(clickhouse, await select({}), {
    dateField: 'lastAccess',
    dateIntervalType: 'YEAR',
    size: 2,
  })
  expect(chart.reduce((sum, point) => sum + point.count, 0)).toBe(2)
  expect(details.statistics.ACCESS_DATE).toMatchObject({ older: { numberOfFiles: 2 }, unknown: { numberOfFiles: 1 } })
  const [figures] = await measureFolders(clickhouse, snapshot, { volumeId, paths: ['/in'] })
  expect(figures?.statistics.ACCESS_DATE).toMatchObject({ older: { numberOfFiles: 2 } })
  const map = await findDominantBelow(clickhouse, snapshot, { path: '/in', storageId: volumeId, levels: 1, by: 'age' })
  expect(map?.folders[0]?.ages).toEqual([10, 0, 0, 0, 10])
  // Lists show the access time on the disk.
  const written = (await list('files')).find(({ name }) => name === 'written')
  expect(written?.lastAccess).toBe(new Date(years(12) * 1000).toISOString())
})

test('a folder in which no date is known has none', async () => {
  const volumeId = await scan('no dates', [{ path: '/in/f', ...times(at('2099-01-01T00:00:00Z')) }])
  const { list } = await open(volumeId)
  expect(await list('folders')).toMatchObject([{ name: 'in', lastAccess: null, lastModified: null }])
})

test('files of unknown date are not copies of each other, and files of the same date are', async () => {
  const copies = (folder: string, seconds: number): File => ({ path: `/in/${folder}`, size: 77, ...times(seconds) })
  const volumeId = await newVolume({ db }, 'copies')
  await scanFolders({ db, clickhouse }, { volumeId, indexingDate: day }, [
    { path: '', entries: ['/a', '/b'].map((path) => ({ path, isDirectory: true, size: 0 })) },
    ...['/a', '/b'].map((path) => ({
      path,
      entries: [
        { ...copies('', at('2099-01-01T00:00:00Z')), path: `${path}/future` },
        { ...copies('', known), path: `${path}/dated` },
      ],
    })),
  ])
  const { select } = await open(volumeId)
  const found = await listEntries(
    clickhouse,
    await select({ onlyDuplicates: true }),
    { page: 1, size: 100 },
    { sort: 'path', direction: 'asc' },
  )
  expect(found.elements.map(({ path }) => path)).toEqual(['/a/dated', '/b/dated'])
})

/** Files changed on different days, and accessed some seconds after that. */
const accessed = (count: number, delay: (n: number) => number): File[] =>
  Array.from({ length: count }, (_, n) => {
    const modified = known + n * 86_400
    return { path: `/in/f${n}`, created: modified, modified, accessed: modified + delay(n) }
  })

test('where no file was accessed after it was written, access times are frozen, and nothing is cold', async () => {
  const volumeId = await scan(
    'noatime',
    accessed(60, () => 0),
  )
  const { snapshot, count, list, details } = await open(volumeId)
  expect(details.accessTimes).toBe('frozen')
  expect(await count({ lastAccessBefore: day })).toBe(0)
  expect(await count({ lastModifiedBefore: day })).toBe(60)
  expect(await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', day, [volumeId])).toEqual([])
  expect(Object.keys(details.statistics.ACCESS_DATE)).toEqual(['unknown'])
  expect((await list('files')).every(({ lastAccess }) => lastAccess === null)).toBe(true)
  expect((await list('folders')).map(({ lastAccess }) => lastAccess)).toEqual([null])
  const [figures] = await measureFolders(clickhouse, snapshot, { volumeId, paths: ['/in'] })
  expect(figures).toMatchObject({ lastAccess: null, statistics: { ACCESS_DATE: {} } })
  const [version] = await folderVersions({ db, clickhouse }, 'everything', { storageId: volumeId, path: '/in' })
  expect(version?.version.lastAccess).toBeNull()
  expect(version?.version.lastModified).not.toBeNull()
})

test('access times that are all equal, or missing, mean nothing either', async () => {
  const same = accessed(60, () => 0).map((file) => ({ ...file, accessed: known + 90 * 86_400 }))
  expect((await open(await scan('restored', same))).details.accessTimes).toBe('frozen')
  const none = accessed(60, () => 0).map((file) => ({ ...file, accessed: 0 }))
  const { details, count } = await open(await scan('no access', none))
  expect(details.accessTimes).toBe('missing')
  expect(await count({ lastAccessBefore: day })).toBe(0)
})

test('access times are recorded where some files were read, or where there are few', async () => {
  const some = await open(
    await scan(
      'some read',
      accessed(60, (n) => (n < 5 ? 3 * 86_400 : 0)),
    ),
  )
  expect(some.details.accessTimes).toBe('recorded')
  expect(await some.count({ lastAccessBefore: day })).toBe(60)
  expect(
    (
      await open(
        await scan(
          'few',
          accessed(5, () => 0),
        ),
      )
    ).details.accessTimes,
  ).toBe('recorded')
})
