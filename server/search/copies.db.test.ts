import { beforeAll, expect, test } from 'vitest'
import type { EntryPage } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing.ts'
import { newVolume } from '#server/snapshots/model/scanDisk.ts'
import { type File, scanFolders } from '#server/snapshots/model/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, searchRoutes(platform)), await testSession(platform.db, []))

const page = async (address: string): Promise<EntryPage> => (await ask('GET', `/api${address}`).expect(200)).body
const places = ({ elements }: EntryPage) => elements.map(({ volumeName, path }) => `${volumeName}:${path}`)
/** What the copies of the entry at a path share. */
async function hashOf(path: string, kind: 'files' | 'directories' = 'files'): Promise<string> {
  const { elements } = await page(`/${kind}/search?indexingDate=2026-01-01&size=100`)
  return elements.find((entry) => entry.path === path)?.identificationHash ?? ''
}

/** Two takes of one name, size and moment lie in two folders and on another storage; a third has another size. */
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
  const upperCase = await page(`/files/hash/${hash.toUpperCase()}?indexingDate=2026-01-01`)
  expect(upperCase).toMatchObject({ total: 3, sort: 'name', direction: 'asc' })
})

test('the copies of a folder are those of its size, creation date and counts', async () => {
  const hash = await hashOf('/a', 'directories')
  const copies = await page(`/directories/hash/${hash}?indexingDate=2026-01-01&sort=path&direction=desc`)
  expect(places(copies)).toEqual(['Disk:/b', 'Disk:/a'])
  for (const copy of copies.elements)
    expect(copy).toMatchObject({ isDirectory: true, dupe: true, identificationHash: hash, size: 100, numberOfFiles: 1 })
  expect(await page(`/files/hash/${hash}`)).toMatchObject({ elements: [], total: 0 })
})

test('copies come by pages, and a cursor goes on', async () => {
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
