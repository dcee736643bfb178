import { expect, test } from 'vitest'
import type { Comparison, DifferencePage, Growth } from '#events/comparison.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, type Folder, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { comparisonRoutes } from './index.ts'

const platform = await testPlatform()
const app = createApp(platform, comparisonRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))
const get = (path: string) => ask('GET', `/api/v1/comparisons/${path}`)

const scan = (volumeId: number, indexingDate: string, folders: Folder[]) =>
  scanFolders(platform, { volumeId, indexingDate }, folders)
const folder = (path: string, inode: number): File => ({ path, isDirectory: true, inode })

/** The differences of a volume as `KIND path`, with the previous path and the growth. */
async function listed(path: string, query: string): Promise<string[]> {
  const { status, body } = await get(`${path}?${query}&sort=path`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const { elements } = body as DifferencePage
  return elements.map(({ kind, path, previousPath, delta }) => [kind, path, previousPath, delta].join(' '))
}

test('before anything is indexed nothing differs', async () => {
  const totals = await get('2026-01-01')
  expect([totals.status, totals.body.growth, totals.body.indexingDate, totals.body.previousIndexingDate]).toEqual([
    200,
    0,
    null,
    null,
  ])
  for (const list of ['files', 'directories', 'groups?by=folder', 'groups?by=owner'])
    expect((await get(`2026-01-01/${list}`)).body).toMatchObject({ elements: [], total: 0 })
})

test('entries that are no longer scanned do not count as removed, nor entries that moved twice as new', async () => {
  const volumeId = await newVolume(platform, 'rules')
  await scan(volumeId, '2026-01-01', [
    { path: '', entries: [folder('/tmp', 2), folder('/old', 3), { path: '/gone' }, { path: '/a', inode: 5 }] },
    { path: '/tmp', entries: [{ path: '/tmp/x', inode: 6 }] },
    { path: '/old', entries: [{ path: '/old/film', inode: 7, size: 100 }] },
  ])
  await scan(volumeId, '2026-01-02', [
    { path: '', entries: [folder('/tmp', 2), folder('/old', 3), { path: '/b', inode: 5 }] },
    {
      path: '/tmp',
      entries: [
        { path: '/tmp/film', inode: 7, size: 100 },
        { path: '/tmp/x', inode: 6 },
      ],
    },
    { path: '/old', entries: [] },
  ])
  await platform.db
    .updateTable('volumes')
    .set({ ignoredPaths: ['tmp'] })
    .where('id', '=', volumeId)
    .execute()
  await scan(volumeId, '2026-01-03', [
    { path: '', entries: [folder('/old', 3), { path: '/c', inode: 5, owner: 'bob' }, { path: '/gone', inode: 8 }] },
    { path: '/old', entries: [] },
  ])
  expect(await listed('2026-01-01/files', `volumeId=${volumeId}`)).toEqual([
    'MOVED /c /a 0',
    'NO_LONGER_INDEXED /old/film  -100',
    'NO_LONGER_INDEXED /tmp/x  -10',
  ])
  expect(await listed('2026-01-01/files', `volumeId=${volumeId}&indexingDate=2026-01-02`)).toEqual([
    'MOVED /b /a 0',
    'REMOVED /gone  -10',
    'MOVED /tmp/film /old/film 0',
  ])
  expect(await listed('2026-01-01/files', `volumeId=${volumeId}&indexingDate=2026-01-02&path=/old`)).toEqual([
    'MOVED /tmp/film /old/film -100',
  ])
  expect(await listed('2026-01-01/files', `volumeId=${volumeId}&indexingDate=2026-01-02&path=/tmp`)).toEqual([
    'MOVED /tmp/film /old/film 100',
  ])
})

test('a storage that only one of the dates has is added or removed with everything in it', async () => {
  const [stays, comes] = [await newVolume(platform, 'stays'), await newVolume(platform, 'comes')]
  const files = (count: number): Folder[] => [
    { path: '', entries: Array.from({ length: count }, (_, n) => ({ path: `/${n}`, inode: n + 2 })) },
  ]
  await scan(stays, '2026-02-01', files(2))
  await scan(comes, '2026-02-02', files(3))
  const both = `storageId=${stays}&storageId=${comes}`
  expect(await listed('2026-02-01/files', both)).toEqual(['/0', '/1', '/2'].map((path) => `CREATED ${path}  10`))
  expect((await get(`2026-01-31?${both}`)).body).toMatchObject({ growth: 50, indexingDate: '2026-02-02' })
  await platform.db
    .deleteFrom('snapshots')
    .where('volumeId', '=', stays)
    .where('indexingDate', '=', '2026-02-02')
    .execute()
  const { body } = await get(`2026-02-01?${both}`)
  expect((body as Comparison).kinds.filter(({ files }) => files > 0)).toEqual([
    { kind: 'CREATED', files: 3, folders: 0, size: 30, grown: 30, shrunk: 0 },
    { kind: 'REMOVED', files: 2, folders: 0, size: 20, grown: 0, shrunk: 20 },
  ])
  const groups = await get(`2026-02-01/groups?by=owner&${both}`)
  expect(groups.body.elements).toMatchObject([{ field: 'ana', growth: 10, filesGrowth: 1 }])
})

test('a date does not differ from itself, nor from one that shows the same scans', async () => {
  for (const previous of ['2026-02-02', '2026-02-28', '2040-01-01'])
    expect((await get(previous)).body).toMatchObject({ growth: 0, indexingDate: '2026-02-02' })
  expect((await get('2026-02-02/files')).body).toMatchObject({ elements: [], total: 0, cursor: null })
})

test('files that are counted but not recorded one by one are in every growth', async () => {
  const volumeId = await newVolume(platform, 'folders only')
  const listed = (kept: number, raw: number, deep: number): Folder[] => [
    { path: '', entries: [folder('/raw', 2), { path: '/kept', inode: 3, size: kept }] },
    { path: '/raw', entries: [folder('/raw/deep', 4)], unrecorded: { files: 2, size: raw, allocatedSize: raw } },
    { path: '/raw/deep', entries: [], ...(deep > 0 && { unrecorded: { files: 1, size: deep, allocatedSize: deep } }) },
  ]
  await scan(volumeId, '2026-03-01', listed(10, 100, 0))
  await scan(volumeId, '2026-03-02', listed(15, 300, 40))
  const totals = async (previous: string, path: string) => {
    const { body } = await get(`${previous}?volumeId=${volumeId}&path=${path}`)
    return [body.growth, body.unrecordedGrowth]
  }
  const groups = async (previous: string, by: string, path: string) => {
    const { body } = await get(`${previous}/groups?volumeId=${volumeId}&by=${by}&path=${path}`)
    return (body.elements as Growth[]).map(({ field, isUnrecorded, growth, filesGrowth }) =>
      [isUnrecorded ? 'unrecorded' : field, growth, filesGrowth].join(' '),
    )
  }
  expect(await totals('2026-03-01', '/')).toEqual([245, 240])
  expect(await groups('2026-03-01', 'folder', '/')).toEqual(['raw 240 1', ' 5 0'])
  expect(await groups('2026-03-01', 'owner', '/')).toEqual(['unrecorded 240 1', 'ana 5 0'])
  expect(await groups('2026-03-01', 'extension', '/')).toEqual(['unrecorded 240 1', ' 5 0'])
  expect(await totals('2026-03-01', '/raw')).toEqual([240, 240])
  expect(await groups('2026-03-01', 'folder', '/raw')).toEqual([' 200 0', 'deep 40 1'])
  expect(await totals('2026-03-01', '/raw/deep/')).toEqual([40, 40])
  expect(await groups('2026-03-01', 'folder', '/raw/deep')).toEqual([' 40 1'])
  expect(await totals('2026-02-28', '/')).toEqual([355, 340])
  expect(await groups('2026-02-28', 'owner', '/raw')).toEqual(['unrecorded 340 3'])
})

test('odd questions about two dates get a 400 that names the field, or nothing', async () => {
  const odd: [string, string][] = [
    ['2026-02-30', 'previousDate'],
    ["2026-01-01'--", 'previousDate'],
    ['2026-01-03?indexingDate=2026-01-02', 'previousDate'],
    ['2026-01-01?indexingDate=tomorrow', 'indexingDate'],
    ['2026-01-01?path=films', 'path'],
    ['2026-01-01?storageId=1;DROP TABLE entries', 'storageId.0'],
    ['2026-01-01?volumeId=1e30', 'volumeId.0'],
    ['2026-01-01/files?kind=LOST', 'kind.0'],
    ['2026-01-01/files?sort=constructor', 'sort'],
    ['2026-01-01/files?sort=growth', 'sort'],
    ['2026-01-01/files?direction=up', 'direction'],
    ['2026-01-01/files?size=0', 'size'],
    ['2026-01-01/files?page=401', 'page'],
    ['2026-01-01/files?cursor=nonsense', 'cursor'],
    ['2026-01-01/directories?page=x', 'page'],
    ['2026-01-01/groups?by=constructor', 'by'],
    ['2026-01-01/groups?sort=field', 'sort'],
  ]
  for (const [path, field] of odd) {
    const { status, body } = await get(encodeURI(path))
    expect([path.slice(0, 60), status, body.subErrors?.[0]?.field]).toEqual([path.slice(0, 60), 400, field])
  }
  for (const path of [`/'"\\%_*?`, '/%00', '/\u{1f600}', `/${"'".repeat(2_000)}`, '/{p0:String}', '/tmp/', '//'])
    for (const list of ['', '/files', '/groups'])
      expect([path.slice(0, 20), (await get(`2026-01-01${list}?path=${encodeURIComponent(path)}`)).status]).toEqual([
        path.slice(0, 20),
        200,
      ])
})
