import { beforeAll, expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import type { FolderAtDate, FolderStatistics } from '#events/folders/calls.ts'
import type { FolderMap } from '#events/folders/map.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { createApp } from '#server/app.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession } from '#server/testing.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, routesOf(platform)), await testSession(platform.db, ['ROLE_ADMIN']))
let volumeId: number

const folder = (path: string, facts: Partial<File> = {}): File => ({ path, isDirectory: true, ...facts })
const unread = {
  size: -1,
  allocatedSize: -1,
  device: 0,
  inode: 0,
  owner: '',
  group: '',
  created: 0,
  modified: 0,
  accessed: 0,
}
const undated = { modified: 0, accessed: 0 }

/** Folders with no known files, some known files, or nothing known; and times of zero. */
beforeAll(async () => {
  volumeId = await newVolume(platform, 'Films')
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [
    {
      path: '',
      entries: [
        folder('/entered by none', { modified: 1_600_000_000 }),
        folder('/read in part', { modified: 1_600_000_000 }),
        folder('/looked at by none', unread),
        folder('/of undated', { modified: 1_600_000_000 }),
        folder('/undated and empty', undated),
      ],
    },
    { path: '/entered by none', entries: [{ path: '/entered by none/a', ...unread }] },
    {
      path: '/read in part',
      entries: [
        { path: '/read in part/a', ...unread },
        { path: '/read in part/b', modified: 1_500_000_000, accessed: 1_550_000_000 },
      ],
    },
    { path: '/looked at by none', entries: [], unreadable: true },
    { path: '/of undated', entries: [{ path: '/of undated/a', ...undated }] },
    { path: '/undated and empty', entries: [] },
  ])
})

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const dated = {
  '/entered by none': [iso(1_600_000_000), iso(1_600_000_000)],
  '/looked at by none': [null, null],
  '/of undated': [null, null],
  '/read in part': [iso(1_550_000_000), iso(1_500_000_000)],
  '/undated and empty': [null, null],
}
const known = ['/entered by none', '/read in part']

async function found(query: string): Promise<Entry[]> {
  const { body } = await ask('GET', `/api/directories/search?sort=path&direction=asc&size=100&${query}`).expect(200)
  return body.elements
}

test('a folder has the times of the readable entries below it, else its own, and no unknown ones', async () => {
  const folders = await found('')
  const moments = folders.map(({ path, lastAccess, lastModified }) => [path, [lastAccess, lastModified]])
  expect(Object.fromEntries(moments)).toEqual(dated)
})

test('the own moments of a folder that could not be looked at are unknown', async () => {
  const own = (await found('')).map(({ path, lastAccessFolder, lastModifiedFolder, creationDate }) => [
    path,
    [lastAccessFolder, lastModifiedFolder, creationDate],
  ])
  expect(Object.fromEntries(own)).toMatchObject({
    '/looked at by none': [null, null, null],
    '/undated and empty': [null, null, iso(1_600_000_000)],
  })
})

test.each(['lastAccessBefore', 'lastModifiedBefore'])('%s finds only what is known to be so old', async (filter) => {
  expect((await found(`${filter}=2000-01-01`)).map(({ path }) => path)).toEqual([])
  expect((await found(`${filter}=2026-01-01`)).map(({ path }) => path)).toEqual(known)
})

test.each(['lastAccessAfter', 'lastModifiedAfter'])('%s finds nothing whose moment is unknown', async (filter) => {
  expect((await found(`${filter}=1969-12-31`)).map(({ path }) => path)).toEqual(known)
})

test.each(['lastAccessDate', 'lastModifiedDate'])('criteria find by %s what filters find', async (field) => {
  const criteria = { searchQueries: [{ [field]: { before: '2026-01-01' } }] }
  const { body } = await ask('POST', '/api/v1/search?sort=path&direction=asc', criteria).expect(200)
  expect(body.elements.map(({ path }: Entry) => path)).toEqual([...known, '/read in part/b'])
})

test('a download says no moment that is unknown', async () => {
  const { body } = await ask('GET', '/api/files/search/folders/csv?sort=path&direction=asc')
    .expect(200)
    .responseType('blob')
  const [heads = [], ...rows] = readCsv(body as Buffer)
  const at = ['Name', 'Last access', 'Last modified'].map((head) => heads.indexOf(head))
  const shown = rows.map((row) => at.map((column) => row[column]))
  expect(shown.find(([name]) => name === 'looked at by none')).toEqual(['looked at by none', '', ''])
  expect(shown.filter(([, access = '']) => access !== '').map(([name]) => `/${name}`)).toEqual(known)
})

test('a folder through time, its statistics and its map say no moment that is unknown', async () => {
  const place = `storageId=${volumeId}&path=${encodeURIComponent('/looked at by none')}`
  const answer = async <T>(path: string): Promise<T> => (await ask('GET', `/api${path}?${place}`).expect(200)).body
  const [shown] = await answer<FolderAtDate[]>('/v1/directories/details')
  expect(shown).toMatchObject({ lastAccess: null, lastModified: null, creationDate: null })
  expect(await answer<FolderStatistics>('/directories/statistics')).toMatchObject({
    numberOfDifferentLastAccessDates: 0,
    oldestLastAccessDate: null,
    numberOfDifferentModifiedDates: 0,
    oldestModifiedDate: null,
  })
  const { entries } = await answer<FolderMap>('/v1/directories/map')
  expect(entries).toMatchObject([{ lastAccess: null, lastModified: null }])
})
