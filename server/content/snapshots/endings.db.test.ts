import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { entriesAt } from './reading/entriesAt.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, type Folder, scanFolders } from './oracle/scanFolders.ts'
import { emptySnapshot, snapshotAt } from './reading/snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const scan = (volumeId: number, indexingDate: string, folders: Folder[]) =>
  scanFolders(stores, { volumeId, indexingDate }, folders)

const endings = (volumeId: number, scanId: number) =>
  stores.clickhouse.rows(sql`
    SELECT concat(parent_path, name) AS path, ended, moved_to AS movedTo FROM entry_history
    WHERE volume = ${volumeId} AND to_scan = ${scanId} AND ended != 'changed' ORDER BY path`)

/** The file `old` of a volume has a tag from its first date on. */
const tagOld = (volumeId: number) =>
  stores.clickhouse.command(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    SELECT 'keep', volume, parent_path, name, is_directory, '2026-01-01', '2149-06-06', 1 FROM entries
    WHERE volume = ${volumeId} AND name = 'old'`)

async function tagged(volumeId: number, date: string) {
  const snapshot = (await snapshotAt(stores.db, 'everything', date)) ?? emptySnapshot
  return stores.clickhouse.rows(sql`
    SELECT name, previous_path AS previousPath FROM ${entriesAt(snapshot)}
    WHERE volume = ${volumeId}
      AND file_id IN (SELECT file_id FROM entry_tags FINAL WHERE from_date <= ${date} AND to_date > ${date})`)
}

test('entries that new rules leave out end as no longer indexed, deleted ones as deleted', async () => {
  const volumeId = await newVolume(stores, 'rules')
  const folder = (path: string, inode: number): File => ({ path, isDirectory: true, inode })
  await scan(volumeId, '2026-01-01', [
    { path: '', entries: [folder('/tmp', 2), folder('/raw', 3), { path: '/gone.txt' }, { path: '/stays.txt' }] },
    { path: '/tmp', entries: [folder('/tmp/a', 4), { path: '/tmp/x.tmp' }] },
    { path: '/tmp/a', entries: [{ path: '/tmp/a/y' }] },
    { path: '/raw', entries: [{ path: '/raw/1.dng' }, { path: '/raw/2.dng' }] },
  ])
  const rules = { ignoredPaths: ['tmp'], indexFolderOnlyPaths: ['/raw'] }
  await stores.db.updateTable('volumes').set(rules).where('id', '=', volumeId).execute()
  const second = await scan(volumeId, '2026-01-02', [
    { path: '', entries: [folder('/raw', 3), { path: '/stays.txt' }] },
    { path: '/raw', entries: [], unrecorded: { files: 2, size: 20, allocatedSize: 1024 } },
  ])
  const noMore = (path: string) => ({ path, ended: 'no longer indexed', movedTo: '' })
  expect(await endings(volumeId, second)).toEqual([
    { path: '/gone.txt', ended: 'deleted', movedTo: '' },
    ...['/raw/1.dng', '/raw/2.dng', '/tmp', '/tmp/a', '/tmp/a/y', '/tmp/x.tmp'].map(noMore),
  ])
  const totals = await stores.db
    .selectFrom('scans')
    .select(['files', 'folders', 'bytes', 'allocatedBytes'])
    .where('id', '=', second)
    .execute()
  expect(totals).toEqual([{ files: 3, folders: 1, bytes: 30, allocatedBytes: 1536 }])
})

test('a freed inode that another file has is not a move; a rename is one, and keeps the tags', async () => {
  const volumeId = await newVolume(stores, 'moves')
  await scan(volumeId, '2026-01-01', [
    {
      path: '',
      entries: [
        { path: '/old', inode: 5 },
        { path: '/reused', inode: 6 },
      ],
    },
  ])
  await tagOld(volumeId)
  const second = await scan(volumeId, '2026-01-03', [
    {
      path: '',
      entries: [
        { path: '/new', inode: 5 },
        { path: '/other', inode: 6, modified: 1_700_000_000 },
      ],
    },
  ])
  expect(await endings(volumeId, second)).toEqual([
    { path: '/old', ended: 'moved', movedTo: '/new' },
    { path: '/reused', ended: 'deleted', movedTo: '' },
  ])
  expect(await tagged(volumeId, '2026-01-01')).toEqual([{ name: 'old', previousPath: '' }])
  expect(await tagged(volumeId, '2026-01-03')).toEqual([{ name: 'new', previousPath: '/old' }])
})

test('tags follow what was moved by a commit that was cut short before the next one moves more', async () => {
  const volumeId = await newVolume(stores, 'moves twice')
  const named = (path: string): Folder[] => [{ path: '', entries: [{ path, inode: 5 }] }]
  await scan(volumeId, '2026-01-01', named('/old'))
  await tagOld(volumeId)
  const killed = (step: string) => {
    if (step === 'switched') throw new Error('Killed')
  }
  const cutShort = scanFolders(stores, { volumeId, indexingDate: '2026-01-04' }, named('/new'), killed)
  await expect(cutShort).rejects.toThrow('Killed')
  await scan(volumeId, '2026-01-05', named('/newest'))
  expect(await tagged(volumeId, '2026-01-01')).toMatchObject([{ name: 'old' }])
  expect(await tagged(volumeId, '2026-01-04')).toMatchObject([{ name: 'new' }])
  expect(await tagged(volumeId, '2026-01-05')).toMatchObject([{ name: 'newest' }])
})
