import { beforeAll, expect, test } from 'vitest'
import type { EntryPage } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, searchRoutes(platform)), await testSession(platform.db, []))

const page = async (address: string): Promise<EntryPage> => (await ask('GET', `/api${address}`).expect(200)).body
const places = ({ elements }: EntryPage) => elements.map(({ volumeName, path }) => `${volumeName}:${path}`)
/** The hash shared by the copies of the entry at a path. */
async function hashOf(path: string, kind: 'files' | 'directories' = 'files'): Promise<string> {
  const { elements } = await page(`/${kind}/search?indexingDate=2026-01-01&size=100`)
  return elements.find((entry) => entry.path === path)?.identificationHash ?? ''
}

/** The totals of a search. */
/** Totals of a search, which are the same with each page. */
async function sizes(query: string) {
  const { body } = await ask('GET', `/api/files/search/sizes?${query}`).expect(200)
  for (const page of ['size=1', 'sort=size&page=3', 'sort=name']) {
    const { body: found } = await ask('GET', `/api/files/search?${query}&${page}&totals=true`).expect(200)
    expect([page, found.totals]).toEqual([page, body])
  }
  return body
}

/** Two takes with the same name, size and time are in two folders and on another storage; a third has another size. */
const take = { size: 100, modified: 1_650_000_000 }
const folder = { isDirectory: true, created: 1_640_000_000 }
const films: File[] = [
  { path: '/a', ...folder },
  { path: '/b', ...folder },
  { path: '/empty.mov', size: 0 },
]
const inA: File[] = [{ path: '/a/take.mov', ...take }]
const inB: File[] = [{ path: '/b/take.mov', ...take, owner: 'bob' }]

beforeAll(async () => {
  const [disk, tape] = [await newVolume(platform, 'Disk'), await newVolume(platform, 'Tape')]
  await scanFolders(platform, { volumeId: tape, indexingDate: '2026-01-01' }, [
    {
      path: '',
      entries: [
        { path: '/take.mov', ...take },
        { path: '/Take.mov', ...take, size: 101 },
      ],
    },
  ])
  for (const indexingDate of ['2026-01-01', '2026-01-03'])
    await scanFolders(platform, { volumeId: disk, indexingDate }, [
      { path: '', entries: films },
      { path: '/a', entries: inA },
      { path: '/b', entries: indexingDate === '2026-01-01' ? inB : [] },
    ])
})

test('the copies of a file are all that share its name, size and moment, on any storage', async () => {
  const hash = await hashOf('/a/take.mov')
  const copies = await page(`/files/hash/${hash}?indexingDate=2026-01-01&sort=path,desc`)
  expect(places(copies)).toEqual(['Tape:/take.mov', 'Disk:/b/take.mov', 'Disk:/a/take.mov'])
  expect(copies).toMatchObject({ page: 1, total: 3, size: 25, sort: 'path', direction: 'desc', cursor: null })
  expect(copies.indexingDate).toBe('2026-01-01')
  for (const copy of copies.elements)
    expect(copy).toMatchObject({
      isDirectory: false,
      dupe: true,
      identificationHash: hash,
      size: 100,
      name: 'take.mov',
    })
  const fileId = copies.elements[1]?.fileId ?? ''
  const others = await page(`/files/hash/${hash}?indexingDate=2026-01-01&sort=path,desc&exceptFileId=${fileId}`)
  expect(places(others)).toEqual(['Tape:/take.mov', 'Disk:/a/take.mov'])
  expect(others.total).toBe(2)
  const upperCase = await page(`/files/hash/${hash.toUpperCase()}?indexingDate=2026-01-01`)
  expect(upperCase).toMatchObject({ total: 3, sort: 'name', direction: 'asc' })
})

test('copies of a folder have its size, creation date and counts', async () => {
  const hash = await hashOf('/a', 'directories')
  const copies = await page(`/directories/hash/${hash}?indexingDate=2026-01-01&sort=path&direction=desc`)
  expect(places(copies)).toEqual(['Disk:/b', 'Disk:/a'])
  for (const copy of copies.elements)
    expect(copy).toMatchObject({ isDirectory: true, dupe: true, identificationHash: hash, size: 100, numberOfFiles: 1 })
  expect(await page(`/files/hash/${hash}`)).toMatchObject({ elements: [], total: 0 })
})

test('copies are returned in pages, and a cursor resumes after the last one', async () => {
  const address = `/files/hash/${await hashOf('/a/take.mov')}?indexingDate=2026-01-01&sort=owner,desc&size=1`
  const first = await page(address)
  expect(places(first)).toEqual(['Disk:/b/take.mov'])
  const second = await page(`${address}&page=2`)
  expect(places(second)).toEqual(['Tape:/take.mov'])
  expect(second).toMatchObject({ page: 2, size: 1, total: 3 })
  expect(places(await page(`${address}&cursor=${first.cursor}`))).toEqual(places(second))
})

test('a later date has the copies that are left there', async () => {
  const hash = await hashOf('/a/take.mov')
  expect(places(await page(`/files/hash/${hash}?sort=path`))).toEqual(['Disk:/a/take.mov', 'Tape:/take.mov'])
  const folders = await page(`/directories/hash/${await hashOf('/a', 'directories')}?indexingDate=2026-01-03`)
  expect(places(folders)).toEqual(['Disk:/a'])
})

test('a hash that nothing shares has no copies, and one that is none is refused by name', async () => {
  expect(await hashOf('/empty.mov')).toBe('')
  for (const none of ['0', '0000000000000000', '1', 'ffffffffffffffff'])
    for (const kind of ['files', 'directories'])
      expect([none, (await page(`/${kind}/hash/${none}`)).elements]).toEqual([none, []])
  for (const wrong of ['x', '0x1', '10000000000000000', "1'"]) {
    const { status, body } = await ask('GET', `/api/files/hash/${wrong}`)
    expect([wrong, status, body.subErrors]).toEqual([
      wrong,
      400,
      [{ field: 'hash', message: 'must be a hexadecimal number' }],
    ])
  }
})

test('all but one of the matching copies are reclaimable, and only for duplicates', async () => {
  const of = (query: string) => sizes(`indexingDate=2026-01-01&${query}`)
  expect(await of('onlyDuplicates=true')).toEqual({ count: 3, size: 300, reclaimable: 200 })
  expect(await of('onlyDuplicates=true&volumeId=2')).toEqual({ count: 1, size: 100, reclaimable: 0 })
  expect(await of('onlyDuplicates=true&maximumNumberOfFiles=1')).toEqual({ count: 0, size: 0, reclaimable: 0 })
  expect(await of('onlyDuplicates=true&owner=bob')).toEqual({ count: 1, size: 100, reclaimable: 0 })
  expect(await of('')).not.toHaveProperty('reclaimable')
  expect(await of('onlyDuplicates=false')).not.toHaveProperty('reclaimable')
  expect(await of('onlyDuplicates=true&showOnlyDeletedFiles=true')).not.toHaveProperty('reclaimable')
  const fields = (await ask('GET', '/api/files/search/fields?indexingDate=2026-01-01&fieldName=isDupe')).body
  expect(fields).toEqual([
    { field: 'true', count: 3, size: 300, reclaimable: 200 },
    { field: 'false', count: 2, size: 101 },
  ])
  const body = { searchQueries: [{ isDupe: { value: true } }, { isDirectory: { value: false } }] }
  const { body: found } = await ask('POST', '/api/v1/search/sizes?indexingDate=2026-01-01', body).expect(200)
  expect(found).toEqual({ count: 3, size: 300, reclaimable: 200 })
})

test('hard links are one file: to delete one of them frees nothing', async () => {
  const linked = { ...take, inode: 77, linkCount: 2 }
  const volumeId = await newVolume(platform, 'Links')
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-04' }, [
    {
      path: '',
      entries: [
        { path: '/a', ...folder },
        { path: '/b', ...folder },
      ],
    },
    { path: '/a', entries: [{ path: '/a/link.mov', ...linked }] },
    { path: '/b', entries: [{ path: '/b/link.mov', ...linked }] },
  ])
  expect(await sizes(`onlyDuplicates=true&volumeId=${volumeId}`)).toEqual({ count: 2, size: 100, reclaimable: 0 })
})

test('copies are adjacent if a list is grouped by set, the largest first', async () => {
  const list = await page('/files/search?indexingDate=2026-01-01&sort=duplicateSet,desc')
  const hashes = list.elements.map(({ identificationHash }) => identificationHash)
  expect(list.elements.map(({ size }) => size)).toEqual([101, 100, 100, 100, 0])
  expect(new Set(hashes.slice(1, 4)).size).toBe(1)
  const beginning = await page('/files/search?indexingDate=2026-01-01&sort=duplicateSet,desc&size=2')
  const next = await page(
    `/files/search?indexingDate=2026-01-01&sort=duplicateSet,desc&size=2&cursor=${beginning.cursor}`,
  )
  expect(places(next)).toEqual(places(list).slice(2, 4))
})
