import { beforeAll, expect, test } from 'vitest'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { staging } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { measureFolders } from '#server/work/projects/figures/measureFolders.ts'
import { insertBatch, newScan, newVolume } from './oracle/scanDisk.ts'
import { type File, type Folder, rowOf, scanFolders } from './oracle/scanFolders.ts'
import { entriesAt } from './reading/entriesAt.ts'
import { snapshotAt, snapshotOrEmpty } from './reading/snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const folder = (path: string): File => ({ path, isDirectory: true, size: 0 })

/** The paths of a chain of folders: '/d', '/d/d', '/d/d/d', and so on. */
const chain = (levels: number, name: string) => Array.from({ length: levels }, (_, n) => `/${name}`.repeat(n + 1))

/** Everything below the root, by path. */
async function sizes(volumeId: number): Promise<Map<string, { files: number; folders: number; size: number }>> {
  const rows = await stores.clickhouse.rows<{ path: string; files: number; folders: number; size: number }>(sql`
    SELECT concat(parent_path, name) AS path, toFloat64(files) AS files, toFloat64(folders) AS folders, toFloat64(size) AS size
    FROM ${entriesAt(await snapshotOrEmpty(stores.db, 'everything'))} WHERE volume = ${volumeId} AND is_directory`)
  return new Map(rows.map(({ path, ...totals }) => [path, totals]))
}

const shapes = [
  { name: 'd'.repeat(20), levels: cases(400, 1000) },
  { name: 'e', levels: cases(1000, 5000) },
]

test.each(shapes)('a chain of $levels folders is scanned with exact totals', async ({ name, levels }) => {
  const paths = chain(levels, name)
  const volumeId = await newVolume(stores, `chain of ${levels}`)
  // Each folder has a file of ten bytes, and each hundredth one a link of the same file of a thousand.
  const linked = (path: string, n: number): File[] =>
    n % 100 === 99
      ? [{ path: `${path}/link`, size: 1000, allocatedSize: 1024, linkCount: levels / 100, inode: 77 }]
      : []
  const folders = paths.map((path, n) => ({
    path,
    entries: [...paths.slice(n + 1, n + 2).map(folder), { path: `${path}/f` }, ...linked(path, n)],
  }))
  const scan = (indexingDate: string, from: Folder[] = folders) =>
    scanFolders(stores, { volumeId, indexingDate }, [{ path: '', entries: [folder(paths[0]!)] }, ...from])
  await scan('2026-03-01')
  const links = levels / 100
  const totals = await sizes(volumeId)
  expect(totals.size).toBe(levels + 1)
  expect(totals.get('')).toEqual({ files: levels + links, folders: levels, size: levels * 10 + 1000 })
  expect(totals.get(paths[64]!)).toMatchObject({ files: levels - 64 + links, size: (levels - 64) * 10 + 1000 })
  expect(totals.get(paths.at(-2)!)).toEqual({ files: 3, folders: 1, size: 1020 })
  const snapshot = await snapshotAt(stores.db, 'everything', '2026-03-01')
  const [figures] = await measureFolders(stores.clickhouse, snapshot!, { volumeId, paths: [paths[99]!] })
  expect(figures?.bytes).toBe((levels - 99) * 10 + 1000)
  // Next day the folder in the middle can't be read. What is known below it stays.
  const middle = levels / 2
  const readable = folders.slice(0, middle)
  await scan('2026-03-02', [...readable, { path: paths[middle]!, entries: [], unreadable: true }])
  expect((await sizes(volumeId)).get('')).toEqual(totals.get(''))
})

test('an attempt interrupted in a long chain continues at the first remaining folder', async () => {
  const { name, levels } = shapes[0]!
  const paths = chain(levels, name)
  const middle = levels / 2
  const { clickhouse } = stores
  const scanId = await newScan(stores, { volumeId: await newVolume(stores, 'broken off'), indexingDate: '2026-03-01' })
  await staging.create(clickhouse, scanId)
  const block = blockOf((rows) => {
    rows.add(rowOf({ path: '', isDirectory: true }))
    rows.addListed(rowOf({ path: '' }), 1)
    for (const [n, path] of paths.entries()) {
      rows.add(rowOf(folder(path)))
      if (n !== middle) rows.addListed(rowOf({ path }), n === levels - 1 ? 0 : 1)
    }
  })
  await insertBatch(stores, scanId, { id: { attempt: 1, batch: 1 }, block })
  await staging.startAttempt(clickhouse, scanId, 2)
  expect(await staging.pending(clickhouse, scanId, undefined, 3)).toEqual({ pending: [paths[middle]], morePending: 0 })
})
