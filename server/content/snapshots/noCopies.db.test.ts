import { expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { listEntries } from '#server/content/entries/listEntries.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { measureFolders } from '#server/work/projects/figures/measureFolders.ts'
import { sizesBySearch } from '#server/questions/search/sizesBySearch.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, scanFolders } from './oracle/scanFolders.ts'
import { snapshotOrEmpty } from './reading/snapshotAt.ts'

const stores = { db: await testDb(), clickhouse: await testClickHouse() }
const day = '2026-03-01'

type Tree = Record<string, Omit<File, 'path'>>

/** Scans files by path, with all folders above them; a path that ends with / is an empty folder. */
async function scan(name: string, tree: Tree): Promise<number> {
  const volumeId = await newVolume(stores, name)
  const folders = new Set<string>([''])
  for (const path of Object.keys(tree))
    path.split('/').forEach((_, n, names) => n > 0 && folders.add(names.slice(0, n).join('/')))
  const isIn = (path: string, folder: string) => path.slice(0, path.lastIndexOf('/')) === folder
  await scanFolders(
    stores,
    { volumeId, indexingDate: day },
    [...folders].map((folder) => ({
      path: folder,
      entries: [
        ...[...folders]
          .filter((path) => path !== '' && isIn(path, folder))
          .map((path) => ({ path, isDirectory: true, size: 0, ...tree[`${path}/`] })),
        ...Object.entries(tree)
          .filter(([path]) => !path.endsWith('/') && isIn(path, folder))
          .map(([path, facts]) => ({ path, ...facts })),
      ],
    })),
  )
  return volumeId
}

async function duplicatesIn(volumeId: number) {
  const snapshot = await snapshotOrEmpty(stores.db, 'everything')
  const filters = { ...noFilters, volumeId: [volumeId], onlyDuplicates: true }
  const pathsOf = async (kind: 'files' | 'folders') => {
    const selection = await selectEntries(stores, snapshot, filters, kind)
    const page = await listEntries(
      stores.clickhouse,
      selection,
      { page: 1, size: 100 },
      { sort: 'path', direction: 'asc' },
    )
    return page.elements.map(({ path }) => path)
  }
  const files = await selectEntries(stores, snapshot, filters, 'files')
  const [project] = await measureFolders(stores.clickhouse, snapshot, { volumeId, paths: ['/'] })
  return {
    files: await pathsOf('files'),
    folders: await pathsOf('folders'),
    reclaimable: (await sizesBySearch(stores.clickhouse, files)).reclaimable,
    project: project?.statistics.DUPLICATE.reclaimable,
  }
}

const none = { files: [], folders: [], reclaimable: 0, project: { numberOfFiles: 0, sizeOfFiles: 0 } }
const at = (text: string): number => Date.parse(text) / 1000

test('files that match only by a date that packaging programs write are not duplicates', async () => {
  const dates = ['1985-10-26T08:15:00Z', '1980-01-01T00:00:00Z', '1979-11-30T00:00:00Z', '2000-01-01T00:00:00Z']
  const packed = dates.flatMap((date, n) =>
    ['a', 'b'].map((folder): [string, Omit<File, 'path'>] => [
      `/node_modules/${folder}/package${n}.json`,
      { size: 8, modified: at(date) },
    ]),
  )
  const { folders: _, ...ofFiles } = none
  expect(await duplicatesIn(await scan('packed', Object.fromEntries(packed)))).toMatchObject(ofFiles)
  const newYear = { size: 8, modified: at('2021-01-01T00:00:00Z') }
  const own = { '/a/f.json': newYear, '/b/f.json': newYear }
  expect(await duplicatesIn(await scan('not packed', own))).toMatchObject({ reclaimable: 8 })
})

test('objects with a packed date and the same ETag are duplicates, since that says something of their content', async () => {
  const object = { size: 9, modified: at('1980-01-01T00:00:00Z'), etag: 'd41d8cd98f00b204e9800998ecf8427e' }
  const volumeId = await scan('objects', { '/a/f': object, '/b/g': object })
  expect(await duplicatesIn(volumeId)).toMatchObject({ files: ['/a/f', '/b/g'], reclaimable: 9 })
})

test('an ETag that objects of different sizes have says nothing, also of two of the same size', async () => {
  const etag = '5d41402abc4b2a76b9719d911017c592'
  const object = (size: number) => ({ size, etag, modified: at('2024-05-06T07:08:09Z') })
  const sizes = { '/a': object(10), '/b': object(1e9), '/c': object(5e12) }
  expect(await duplicatesIn(await scan('one ETag', sizes))).toEqual(none)
  const sameSize = { '/d/e': object(20), '/d/f': object(20), '/d/g': object(30) }
  expect(await duplicatesIn(await scan('one ETag, two of a size', sameSize))).toEqual(none)
  const sameName = { '/x/f': object(7), '/y/f': object(7), '/z/f': object(8) }
  expect(await duplicatesIn(await scan('one ETag, two of a name', sameName))).toMatchObject({ files: ['/x/f', '/y/f'] })
})

test('an ETag of objects in parts is shared with any size that the agent adds to it', async () => {
  const object = (size: number) => ({
    size,
    etag: `parts:${'c'.repeat(32)}-2:${size}`,
    modified: at('2024-05-06T07:08:09Z'),
  })
  const sizes = { '/o': object(110), '/p': object(110), '/q': object(111) }
  expect(await duplicatesIn(await scan('one ETag of parts', sizes))).toEqual(none)
  const own = { '/r': object(112), '/s': object(112) }
  expect(await duplicatesIn(await scan('own ETag of parts', own))).toMatchObject({ files: ['/r', '/s'] })
})

test('of a store with very many such ETags, none counts', async () => {
  const modified = at('2024-05-06T07:08:09Z')
  const etag = (n: number) => n.toString(16).padStart(32, '0')
  const tree = (name: string, count: number) => {
    const shared = Array.from({ length: 2 * count }, (_, n): [string, Omit<File, 'path'>] => [
      `/${name}${n}`,
      { size: 1_000 + n, etag: etag(n >> 1), modified },
    ])
    const equal = { size: 200 + count, etag: etag(500 + count), modified }
    return { ...Object.fromEntries(shared), [`/${name} p`]: equal, [`/${name} q`]: equal }
  }
  expect(await duplicatesIn(await scan('few', tree('few', 100)))).toMatchObject({ files: ['/few p', '/few q'] })
  expect(await duplicatesIn(await scan('many', tree('many', 101)))).toEqual(none)
})

test('an object whose ETag turns out to be shared is no longer a duplicate, although it did not change', async () => {
  const object = { size: 9, etag: 'e'.repeat(32), modified: at('2024-05-06T07:08:09Z') }
  const volumeId = await scan('later shared', { '/a': object, '/b': object })
  expect(await duplicatesIn(volumeId)).toMatchObject({ files: ['/a', '/b'] })
  const entries = [
    { path: '/a', ...object },
    { path: '/b', ...object },
    { path: '/c', ...object, size: 10 },
  ]
  await scanFolders(stores, { volumeId, indexingDate: '2026-03-02' }, [{ path: '', entries }])
  expect(await duplicatesIn(volumeId)).toEqual(none)
})

test('files in snapshots are not duplicates, neither of the live file nor of each other', async () => {
  const places = ['', '/~snapshot/hourly.0', '/~snapshot/hourly.1', '/.snapshot/x', '/.zfs/snapshot/d', '/#snapshot/1']
  const more = ['/.snapshots/1/snapshot', '/@GMT-2026.11.27-03.00.00']
  const tree = Object.fromEntries([...places, ...more].map((place) => [`/x${place}/film.mov`, { size: 4_000 }]))
  expect(await duplicatesIn(await scan('with snapshots', tree))).toEqual(none)
})

test('empty files and folders are not duplicates, and neither are folders that hold only empty files', async () => {
  const tree = { '/v1/': {}, '/v2/': {}, '/v10/': {}, '/a/empty': { size: 0 }, '/b/empty': { size: 0 } }
  expect(await duplicatesIn(await scan('empty', tree))).toEqual(none)
  const full = { '/a/f': { size: 5 }, '/b/f': { size: 5 }, '/b/c/': { created: 1_500_000_000 } }
  expect((await duplicatesIn(await scan('full', full))).folders).toEqual([])
  const same = { '/a/f': { size: 6 }, '/b/f': { size: 6 } }
  expect((await duplicatesIn(await scan('same', same))).folders).toEqual(['/a', '/b'])
})

test('hard links free nothing, so that a project counts no reclaimable files for them', async () => {
  const link = { size: 7_000, linkCount: 3, inode: 78 }
  const volumeId = await scan('links', { '/d0/f': link, '/d1/f': link, '/d2/f': link, '/d3/f': { size: 7_000 } })
  expect(await duplicatesIn(volumeId)).toMatchObject({
    files: ['/d0/f', '/d1/f', '/d2/f', '/d3/f'],
    reclaimable: 7_000,
    project: { numberOfFiles: 1, sizeOfFiles: 7_000 },
  })
})
