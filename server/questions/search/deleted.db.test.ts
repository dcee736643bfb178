import { expect, test } from 'vitest'
import type { EntryPage } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { commitScan } from '#server/content/snapshots/index.ts'
import { create, newDisk } from '#server/content/snapshots/oracle/disk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newScan, newVolume, stage } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, searchRoutes(platform)), await testSession(platform.db, []))
const random = newRandom(1)
const disk = newDisk(random, 0)
const volumeId = await newVolume(platform, 'One')

async function scanWith(indexingDate: string, sizes: Record<string, number>): Promise<void> {
  disk.root.children?.clear()
  for (const [name, size] of Object.entries(sizes)) {
    const file = create(random, disk, false, disk.root)
    disk.root.children?.delete(file.name)
    Object.assign(file.facts, { size })
    disk.root.children?.set(name, Object.assign(file, { name }))
  }
  const scanId = await newScan(platform, { volumeId, indexingDate })
  await stage(platform, random, scanId, walkDisk(disk))
  await commitScan(platform, scanId, async () => {})
}

async function deletedOn(indexingDate: string): Promise<[string, number][]> {
  const query = `showOnlyDeletedFiles=true&sort=name&indexingDate=${indexingDate}`
  const { body } = await ask('GET', `/api/files/search?${query}`).expect(200)
  return (body as EntryPage).elements.map(({ name, size }) => [name, size])
}

test('a deleted entry is listed once, in its last state, unless it is back, and for thirty days', async () => {
  await scanWith('2026-01-01', { kept: 10, twice: 20, back: 30 })
  await scanWith('2026-01-02', { kept: 10 })
  await scanWith('2026-01-03', { kept: 10, twice: 21, back: 31 })
  await scanWith('2026-01-04', { kept: 10, back: 31 })
  expect(await deletedOn('2026-01-01')).toEqual([])
  expect(await deletedOn('2026-01-02')).toEqual([
    ['back', 30],
    ['twice', 20],
  ])
  expect(await deletedOn('2026-01-03')).toEqual([])
  expect(await deletedOn('2026-01-04')).toEqual([['twice', 21]])
  await scanWith('2026-02-02', { kept: 10, back: 31 })
  expect(await deletedOn('2026-02-02')).toEqual([['twice', 21]])
  await scanWith('2026-02-03', { kept: 10, back: 31 })
  expect(await deletedOn('2026-02-03')).toEqual([])
})

test('a deleted entry that returned and was moved or is no longer scanned is not listed as deleted', async () => {
  const volumeId = await newVolume(platform, 'Two')
  const scan = (indexingDate: string, ...entries: File[]) =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])
  const stays: File = { path: '/stays' }
  await scan('2026-03-01', stays, { path: '/moves', inode: 5 }, { path: '/tmp', inode: 6 }, { path: '/goes', inode: 7 })
  await scan('2026-03-02', stays)
  await scan(
    '2026-03-03',
    stays,
    { path: '/moves', inode: 8 },
    { path: '/tmp', inode: 9 },
    { path: '/goes', inode: 10 },
  )
  await platform.db
    .updateTable('volumes')
    .set({ ignoredPaths: ['tmp'] })
    .where('id', '=', volumeId)
    .execute()
  await scan('2026-03-04', stays, { path: '/moved', inode: 8 })
  const listed = async (day: string) => (await deletedOn(`${day}&volumeId=${volumeId}`)).map(([name]) => name)
  expect(await listed('2026-03-02')).toEqual(['goes', 'moves', 'tmp'])
  expect(await listed('2026-03-03')).toEqual([])
  expect(await listed('2026-03-04')).toEqual(['goes'])
})
