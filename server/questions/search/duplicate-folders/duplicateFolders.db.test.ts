import { beforeAll, expect, test } from 'vitest'
import type { DuplicateFolders } from '#events/search/duplicateFolders.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from '#server/questions/search/index.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, searchRoutes(platform)), await testSession(platform.db, []))
const get = async (address: string) => (await ask('GET', `/api${address}`).expect(200)).body
const byFolder = (query = '') => get(`/files/search/duplicateFolders?${query}`)
const summary = ({ elements }: { elements: DuplicateFolders[] }) =>
  elements.map(({ folders, folderCount, files, size, reclaimable }) => ({
    folders: folders.map(({ volumeName, path }) => `${volumeName}:${path}`),
    folderCount,
    files,
    size,
    reclaimable,
  }))

const modified = 1_650_000_000
const file = (path: string, size: number, more: Partial<File> = {}): File => ({ path, size, modified, ...more })
const folder = (path: string): File => ({ path, isDirectory: true })

/** A project with a backup on another storage, a copy in a third folder, copies within one folder, and hard links. */
const disk = [
  { path: '', entries: [folder('/projects'), folder('/old'), folder('/same'), folder('/links')] },
  { path: '/projects', entries: [folder('/projects/a')] },
  { path: '/projects/a', entries: [folder('/projects/a/1'), folder('/projects/a/2')] },
  { path: '/projects/a/1', entries: [file('/projects/a/1/take.mov', 1_000), file('/projects/a/1/sound.wav', 50)] },
  { path: '/projects/a/2', entries: [file('/projects/a/2/pick.mov', 400), file('/projects/a/2/alone.mov', 9_999)] },
  { path: '/old', entries: [file('/old/logo.png', 30)] },
  { path: '/same', entries: [folder('/same/x'), file('/same/logo.png', 30), file('/same/twice.txt', 5)] },
  { path: '/same/x', entries: [file('/same/x/twice.txt', 5)] },
  {
    path: '/links',
    entries: [folder('/links/b'), file('/links/linked.bin', 700, { inode: 77, linkCount: 2 })],
  },
  { path: '/links/b', entries: [file('/links/b/linked.bin', 700, { inode: 77, linkCount: 2 })] },
]
const tape = [
  { path: '', entries: [folder('/backup'), file('/logo.png', 30)] },
  { path: '/backup', entries: [folder('/backup/a')] },
  { path: '/backup/a', entries: [folder('/backup/a/1'), folder('/backup/a/2')] },
  { path: '/backup/a/1', entries: [file('/backup/a/1/take.mov', 1_000), file('/backup/a/1/sound.wav', 50)] },
  { path: '/backup/a/2', entries: [file('/backup/a/2/pick.mov', 400)] },
]

beforeAll(async () => {
  const [diskId, tapeId] = [await newVolume(platform, 'Disk'), await newVolume(platform, 'Tape')]
  await scanFolders(platform, { volumeId: diskId, indexingDate: '2026-01-01' }, disk)
  await scanFolders(platform, { volumeId: tapeId, indexingDate: '2026-01-01' }, tape)
})

test('folders that contain the same files are listed with what one of them takes, the most reclaimable first', async () => {
  expect(summary(await byFolder())).toEqual([
    { folders: ['Disk:/projects/a', 'Tape:/backup/a'], folderCount: 2, files: 3, size: 1_450, reclaimable: 1_450 },
    { folders: ['Disk:/old', 'Disk:/same', 'Tape:/'], folderCount: 3, files: 1, size: 30, reclaimable: 60 },
    { folders: ['Disk:/same', 'Disk:/same/x'], folderCount: 2, files: 1, size: 5, reclaimable: 5 },
  ])
})

test('all groups together have the reclaimable bytes of the search, as plain loops count them', async () => {
  const all = [...disk, ...tape].flatMap(({ entries }) => entries).filter(({ isDirectory }) => !isDirectory)
  const seen = new Set<number>()
  const sets = Map.groupBy(all, ({ path, size }) => `${path.split('/').at(-1)} ${size}`)
  let expected = 0
  for (const set of sets.values()) {
    const own = set.filter(({ inode = 0 }) => Number(inode) === 0 || seen.size !== seen.add(Number(inode)).size)
    expected += Math.max(0, own.length - 1) * Number(own[0]?.size ?? 0)
  }
  const { elements, reclaimable, isPartial } = await byFolder()
  expect(elements.reduce((sum: number, group: DuplicateFolders) => sum + group.reclaimable, 0)).toBe(expected)
  expect([reclaimable, isPartial]).toEqual([expected, false])
  expect((await get('/files/search/sizes?onlyDuplicates=true')).reclaimable).toBe(expected)
})

test('filters limit which copies count, and the files of a group are found in its folders', async () => {
  expect(summary(await byFolder('fileType=image&fileType=audio')).map(({ reclaimable }) => reclaimable)).toEqual([
    60, 50,
  ])
  expect(summary(await byFolder('size=1'))).toHaveLength(1)
  const [group] = (await byFolder()).elements as DuplicateFolders[]
  const places = group!.folders.map(({ volumeId, path }) => `storageAndPath=${volumeId}:${path}`).join('&')
  expect(await get(`/files/search/sizes?onlyDuplicates=true&${places}`)).toMatchObject({ count: 6, reclaimable: 1_450 })
})

test('deleted files and days without a snapshot have none', async () => {
  const none = { elements: [], reclaimable: 0, isPartial: false }
  expect(await byFolder('showOnlyDeletedFiles=true')).toEqual(none)
  expect(await byFolder('indexingDate=2020-01-01')).toEqual(none)
})
