import { beforeAll, expect, test } from 'vitest'
import { noFilters, type SearchFilters } from '#events/search/filters.ts'
import { listEntries } from '#server/content/entries/listEntries.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { volumeTotals } from '#server/content/snapshots/reading/listVolumes.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { listDetails } from '#server/scanning/storages/listDetails.ts'
import { byField } from './byField.ts'
import { sizesBySearch } from './sizesBySearch.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const day = '2026-03-01'
const mib = 2 ** 20
const old = { accessed: 1_600_000_000 }

/** A sparse disk of a machine, two equal clips, and a clip with two hard links. */
const files = (folder: string): File[] => [
  { path: `${folder}/disk.raw`, size: 1024 * mib, allocatedSize: mib, inode: 20, ...old },
  { path: `${folder}/clip`, size: 10 * mib, allocatedSize: 4 * mib, inode: 21, accessed: 1_772_300_000 },
  { path: `${folder}/same`, size: 8 * mib, allocatedSize: 3 * mib, inode: 22, linkCount: 2, ...old },
  { path: `${folder}/link`, size: 8 * mib, allocatedSize: 3 * mib, inode: 22, linkCount: 2, ...old },
]
const apparent = 1042 * mib
const onDisk = 8 * mib
let [disk, content] = [0, 0]

beforeAll(async () => {
  disk = await newVolume(platform, 'Disk', 'onDisk')
  content = await newVolume(platform, 'Content', 'apparent')
  for (const volumeId of [disk, content])
    await scanFolders(platform, { volumeId, indexingDate: day }, [
      { path: '', entries: [{ path: '/a', isDirectory: true, size: 0 }] },
      { path: '/a', entries: files('/a') },
    ])
})

const shown = async () => (await snapshotAt(db, 'everything', day))!
async function sizes(changes: Partial<SearchFilters>) {
  const filters = { ...noFilters, ...changes }
  const selection = await selectEntries(platform, await shown(), filters, 'files')
  return sizesBySearch(clickhouse, selection)
}

test('a storage has its apparent size, that on disk, and the one that costs are for', async () => {
  const [first, second] = await volumeTotals(db, 'everything', day)
  expect(first).toMatchObject({ sizeOfFiles: apparent, sizeOnDisk: onDisk, billedSize: onDisk })
  expect(second).toMatchObject({ sizeOfFiles: apparent, sizeOnDisk: onDisk })
  expect(second).not.toHaveProperty('billedSize')
  const query = { page: 1, size: 1, statistics: 'false' } as const
  const { elements } = await listDetails(platform, 'everything', disk, query as Parameters<typeof listDetails>[3])
  expect(elements).toMatchObject([{ sizeOnDisk: onDisk, billedSize: onDisk, lacksSizesOnDisk: false }])
})

test('searches add up the bytes that costs are for, by the size basis of each storage', async () => {
  expect(await sizes({ volumeId: [disk] })).toEqual({ count: 4, size: apparent, billedSize: onDisk })
  expect(await sizes({ volumeId: [content] })).toEqual({ count: 4, size: apparent })
  expect(await sizes({})).toEqual({ count: 8, size: 2 * apparent, billedSize: apparent + onDisk })
  const all = await selectEntries(platform, await shown(), noFilters, 'files')
  expect(await byField(clickhouse, all, 'storageName', 5)).toEqual(
    expect.arrayContaining([
      { field: 'Disk', count: 4, size: apparent, billedSize: onDisk },
      { field: 'Content', count: 4, size: apparent },
    ]),
  )
})

test('cold files, which commits count, and duplicates have them too', async () => {
  expect(await sizes({ volumeId: [disk], lastAccessBefore: '2026-01-01' })).toEqual({
    count: 3,
    size: 1032 * mib,
    billedSize: 4 * mib,
  })
  const duplicates = await sizes({ volumeId: [disk], onlyDuplicates: true })
  expect(duplicates).toMatchObject({ size: apparent, billedSize: onDisk })
})

test('each file has the bytes that its cost is for', async () => {
  const list = async (volumeId: number) => {
    const selection = await selectEntries(platform, await shown(), { ...noFilters, volumeId: [volumeId] }, 'files')
    const query = { page: 1, size: 1, sort: 'size', direction: 'desc' } as const
    return (await listEntries(clickhouse, selection, query, { sort: 'size', direction: 'desc' })).elements
  }
  expect(await list(disk)).toMatchObject([{ name: 'disk.raw', size: 1024 * mib, billedSize: mib }])
  expect((await list(content))[0]).not.toHaveProperty('billedSize')
})

test('statistics of earlier versions, without bytes on disk, count apparent sizes until the next scan', async () => {
  await clickhouse.command({
    parts: [`ALTER TABLE volume_statistics UPDATE on_disk = -1 WHERE volume = ${disk} SETTINGS mutations_sync = 2`],
    values: [],
  })
  const cold = { volumeId: [disk], lastAccessBefore: '2026-01-01' }
  expect(await sizes(cold)).toEqual({ count: 3, size: 1032 * mib })
  await scanFolders(platform, { volumeId: disk, indexingDate: day }, [
    { path: '', entries: [{ path: '/a', isDirectory: true, size: 0 }] },
    { path: '/a', entries: files('/a') },
  ])
  expect(await sizes(cold)).toMatchObject({ size: 1032 * mib, billedSize: 4 * mib })
})
