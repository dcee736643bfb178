import { expect, test } from 'vitest'
import type { ComparedPage } from '#events/folders/browse.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { browseRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, browseRoutes(platform)), await testSession(platform.db, []))

test('moved entries, or those outside scanned folders, are removed compared with a previous date, but not deleted', async () => {
  const volumeId = await newVolume(platform, 'Rules')
  const folder = (path: string, inode: number): File => ({ path, isDirectory: true, inode })
  const scan = (indexingDate: string, folders: File[], files: File[]) =>
    scanFolders(platform, { volumeId, indexingDate }, [
      { path: '', entries: [...folders, ...files] },
      ...folders.map(({ path }) => ({ path, entries: [] })),
    ])
  await scan(
    '2026-01-01',
    [folder('/tmp', 2), folder('/gone', 3), folder('/old', 4)],
    [{ path: '/a', inode: 5 }, { path: '/b' }],
  )
  await platform.db
    .updateTable('volumes')
    .set({ ignoredPaths: ['tmp'] })
    .where('id', '=', volumeId)
    .execute()
  await scan('2026-01-02', [folder('/new', 4)], [{ path: '/c', inode: 5 }])
  const beside = async (kind: string, query = '') => {
    const { body } = await ask(
      'GET',
      `/api/v1/${kind}/snapshots/2026-01-01?volumeId=${volumeId}&path=/&sort=name${query}`,
    )
    return (body as ComparedPage).elements.map(({ path, isCreated, isRemoved, deleted }) =>
      [path, isCreated && 'created', isRemoved && 'removed', deleted && 'deleted'].filter(Boolean).join(' '),
    )
  }
  expect(await beside('directories')).toEqual(['/gone removed deleted', '/new created', '/old removed', '/tmp removed'])
  expect(await beside('files')).toEqual(['/a removed', '/b removed deleted', '/c created'])
})

test('an entry that moved before another took its path and was deleted is removed, but not deleted', async () => {
  const volumeId = await newVolume(platform, 'Again')
  const scan = (indexingDate: string, entries: File[]) =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])
  await scan('2026-02-01', [
    { path: '/moved', inode: 5 },
    { path: '/gone', inode: 6 },
  ])
  await scan('2026-02-02', [{ path: '/away', inode: 5 }])
  await scan('2026-02-03', [
    { path: '/away', inode: 5 },
    { path: '/moved', inode: 7 },
    { path: '/gone', inode: 8 },
  ])
  await scan('2026-02-04', [
    { path: '/away', inode: 5 },
    { path: '/kept', inode: 8 },
  ])
  const { body } = await ask('GET', `/api/v1/files/snapshots/2026-02-01?volumeId=${volumeId}&path=/&sort=name`)
  const removed = (body as ComparedPage).elements.filter(({ isRemoved }) => isRemoved)
  expect(removed.map(({ path, deleted }) => [path, deleted])).toEqual([
    ['/gone', true],
    ['/moved', false],
  ])
})
