import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, type Folder, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const folder = (path: string): File => ({ path, isDirectory: true })
const [before, after] = ['2026-01-01', '2026-01-02']
const scan = (volumeId: number, indexingDate: string, folders: Folder[], scannedPath = '') =>
  scanFolders(stores, { volumeId, indexingDate, scannedPath }, folders)

/** Paths of a date with their sizes. Folders end in a slash, unreadable ones in a question mark. */
async function shown(volumeId: number, date: string): Promise<string[]> {
  const rows = [...(await readRows(stores, volumeId, date)).values()]
  return rows
    .map((row) => `${row.parentPath}${row.name}${row.isDirectory ? '/' : ''}${row.unreadable ? '?' : ''} ${row.size}`)
    .sort()
}

const tree: Folder[] = [
  { path: '', entries: [folder('/a'), { path: '/f' }] },
  { path: '/a', entries: [folder('/a/b'), { path: '/a/g' }] },
  { path: '/a/b', entries: [{ path: '/a/b/h' }] },
]

test('entries below a folder that becomes unreadable stay, and the folder is marked until it is readable', async () => {
  const volumeId = await newVolume(stores, 'unread')
  await scan(volumeId, before, tree)
  await scan(volumeId, after, [
    { path: '', entries: [folder('/a')] },
    { path: '/a', entries: [], unreadable: true },
  ])
  expect(await shown(volumeId, before)).toEqual(['/ 30', '/a/ 20', '/a/b/ 10', '/a/b/h 10', '/a/g 10', '/f 10'])
  expect(await shown(volumeId, after)).toEqual(['/ 20', '/a/? 20', '/a/b/ 10', '/a/b/h 10', '/a/g 10'])
  const { state } = await stores.db
    .selectFrom('scans')
    .select('state')
    .where('volumeId', '=', volumeId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(state).toBe('partial')
  await scan(volumeId, '2026-01-03', tree.toSpliced(2).with(1, { path: '/a', entries: [] }))
  expect(await shown(volumeId, '2026-01-03')).toEqual(['/ 10', '/a/ 0', '/f 10'])
})

test('a file that took the name of a folder ends what the folder held, though the rest could not be listed', async () => {
  const volumeId = await newVolume(stores, 'replaced')
  await scan(volumeId, before, tree)
  await scan(volumeId, after, [
    { path: '', entries: [folder('/a')] },
    { path: '/a', entries: [{ path: '/a/b' }], unreadable: true },
  ])
  expect(await shown(volumeId, after)).toEqual(['/ 20', '/a/? 20', '/a/b 10', '/a/g 10'])
})

test('files that an index of folders only counts are still counted when their folder cannot be read', async () => {
  const volumeId = await newVolume(stores, 'counted')
  const root = { path: '', entries: [folder('/raw')] }
  const unrecorded = { files: 3, size: 300, allocatedSize: 1536 }
  await scan(volumeId, before, [root, { path: '/raw', entries: [], unrecorded }])
  await scan(volumeId, after, [root, { path: '/raw', entries: [], unreadable: true }])
  expect(await shown(volumeId, after)).toEqual(['/ 300', '/raw/? 300'])
})

test('a scan of a folder leaves the rest, and ends a file in the place of one of its parents', async () => {
  const volumeId = await newVolume(stores, 'below')
  await scan(volumeId, before, tree)
  await scan(volumeId, after, [{ path: '/f/x', entries: [{ path: '/f/x/y' }] }], '/f/x')
  expect(await shown(volumeId, after)).toEqual(
    ['/ 30', '/a/ 20', '/a/b/ 10', '/a/b/h 10', '/a/g 10', '/f/ 10', '/f/x/ 10', '/f/x/y 10'].sort(),
  )
})

test('a scanned folder that is gone ends with all it held; one that cannot be looked up stays', async () => {
  const volumeId = await newVolume(stores, 'gone')
  await scan(volumeId, before, tree)
  await scan(volumeId, after, [{ path: '/a/b', entries: [], unreadable: true }], '/a/b')
  expect(await shown(volumeId, after)).toEqual(['/ 30', '/a/ 20', '/a/b/? 10', '/a/b/h 10', '/a/g 10', '/f 10'])
  await scan(volumeId, '2026-01-03', [{ path: '/a/b', entries: [] }], '/a/b')
  expect(await shown(volumeId, '2026-01-03')).toEqual(['/ 20', '/a/ 10', '/a/g 10', '/f 10'])
})
