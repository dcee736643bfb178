import { beforeAll, expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { tagResults } from '#server/work/tags/tagResults.ts'
import { newLimitedUser } from './testing/limitedHistory.ts'

const platform = await testPlatform()
const volumeId = await newVolume(platform, 'Films')
const indexingDate = '2026-01-01'
const link = { linkCount: 3, inode: 70, size: 600, allocatedSize: 1024 }
const folder = (path: string, inode: number) => ({ path, isDirectory: true, inode })
const report = 'dataintell.report.Large.2026-01-01'

beforeAll(async () => {
  await scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [folder('/all', 2)] },
    { path: '/all', entries: [folder('/all/a', 3), folder('/all/b', 4), folder('/all/c', 5)] },
    { path: '/all/a', entries: [{ ...link, path: '/all/a/first' }] },
    { path: '/all/b', entries: [{ ...link, path: '/all/b/second' }] },
    {
      path: '/all/c',
      entries: [
        { ...link, path: '/all/c/third' },
        { path: '/all/c/plain', inode: 9 },
      ],
    },
  ])
  await changeTagsOf(platform, [entry('/all'), entry('/all/b')], {
    decide: () => ({ add: ['client', report], remove: [] }),
    by: system,
    scope: 'everything',
  })
})

const entry = (path: string, isDirectory = true) => ({ volumeId, path, isDirectory })
const newUser = () =>
  newLimitedUser(platform, ['ROLE_PROJECT_MANAGER'], {
    folders: ['/all/b', '/all/c'].map((path) => ({ storageId: volumeId, path })),
  })

test('of the hard links of a file the first visible one has its bytes, and the folders above count it once', async () => {
  const { scope } = await newUser()
  const rows = [...(await readRows(platform, volumeId, indexingDate, scope)).values()]
  const sizes = rows.map(({ parentPath, name, size, allocatedSize, countedSize }) => [
    parentPath + name,
    size,
    allocatedSize,
    countedSize,
  ])
  expect(sizes.sort()).toEqual([
    ['', 610, 1536, 610],
    ['/all', 610, 1536, 610],
    ['/all/b', 600, 1024, 600],
    ['/all/b/second', 600, 1024, 600],
    ['/all/c', 610, 1536, 610],
    ['/all/c/plain', 10, 512, 10],
    ['/all/c/third', 600, 1024, 0],
  ])
})

type FolderPage = { elements: { path: string; customTag: string[] }[] }

test('tags of the folders above are not shown, and match nothing', async () => {
  const { ask } = await newUser()
  const found = async (query: string) => {
    const { elements } = (await ask('GET', `/api/directories/search?${query}`).expect(200)).body as FolderPage
    return elements.map(({ path, customTag }) => [path, ...customTag]).sort()
  }
  expect(await found('size=10')).toEqual([['/all'], ['/all/b', 'client'], ['/all/c']])
  for (const query of ['tag=client', 'report=Large']) expect(await found(query)).toEqual([['/all/b', 'client']])
  const { body } = await ask('GET', `/api/v1/directories/contents?path=/&storageId=${volumeId}`).expect(200)
  expect(body.folders.elements).toMatchObject([{ path: '/all', customTag: [] }])
})

test('tags are written within the scope only, also by jobs', async () => {
  const { id, ask } = await newUser()
  const change = (...entries: object[]) => ask('PUT', '/api/v1/files/tags', { entries, add: ['mine'] })
  for (const outside of [entry('/all'), entry('/all/a'), entry('/all/a/first', false), entry('/nowhere')])
    await change(outside, entry('/all/c')).expect(404)
  await change(entry('/all/c')).expect(200, { changed: 1 })
  await tagResults(
    platform,
    { tags: ['swept'], remove: false, isDirectory: true, filters: noFilters, limitedTo: id },
    async () => true,
  )
  const rows = await platform.clickhouse.rows<{ path: string; tag: string }>(
    sql`
      SELECT concat(parent_path, name) AS path, tag FROM entry_tags FINAL WHERE tag IN ('mine', 'swept') ORDER BY path, tag`,
  )
  expect(rows).toEqual([
    { path: '/all/b', tag: 'swept' },
    { path: '/all/c', tag: 'mine' },
    { path: '/all/c', tag: 'swept' },
  ])
})
