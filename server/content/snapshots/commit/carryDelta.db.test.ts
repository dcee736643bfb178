import { beforeAll, expect, test } from 'vitest'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { staging } from '#server/workers/ingest/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { changeLayers } from '#server/content/snapshots/oracle/changeLayers.ts'
import { changeDisk } from '#server/content/snapshots/oracle/changeDisk.ts'
import { type Disk, newDisk, places } from '#server/content/snapshots/oracle/disk.ts'
import {
  type KnownEntries,
  listDelta,
  rememberDisk,
  type ListedChange,
} from '#server/content/snapshots/oracle/listDelta.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newScan, newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { commitScan } from './commitScan.ts'
import { UnfitMarks } from './sameFiles.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const root = { parentPath: '', name: '' }
const day = (n: number) => new Date(Date.UTC(2026, 0, n + 1)).toISOString().slice(0, 10)

/** Stages and commits a paged scan; with a compared scan, one that lists only changes. */
async function scan(volumeId: number, date: string, told: ListedChange[], comparedScan?: number): Promise<number> {
  const scanId = await newScan(stores, { volumeId, indexingDate: date })
  await staging.create(stores.clickhouse, scanId)
  await staging.startAttempt(stores.clickhouse, scanId, 1, '', 'pages', comparedScan)
  const half = Math.ceil(told.length / 2)
  const blocks = [told.slice(0, half), told.slice(half)].map((part, number) =>
    blockOf((rows) => {
      if (number === 0 && comparedScan !== undefined) rows.addDelta(comparedScan)
      for (const add of part) add(rows, comparedScan ?? 0)
      if (number === 1) rows.addListed(root, 0)
      rows.addCheckpoint([])
    }),
  )
  for (const [i, block] of blocks.entries()) {
    const checked = checkBlock(block)
    if (typeof checked === 'string') throw new Error(checked)
    await staging.insertBatch(stores.clickhouse, scanId, { attempt: 1, batch: i + 1 }, checked)
  }
  const announced = { attempt: 1, batches: blocks.length, progress: { entries: 0 } }
  expect(await staging.missing(stores.clickhouse, scanId, announced, '', 'pages')).toBeUndefined()
  await commitScan(stores, scanId, async () => {}).catch(async (error: unknown) => {
    await stores.db.updateTable('scans').set({ state: 'failed' }).where('id', '=', scanId).execute()
    throw error
  })
  return scanId
}

const inFull = (known: KnownEntries): ListedChange[] =>
  [...known.values()].map(
    ({ row }) =>
      (rows) =>
        rows.add(row),
  )

/**
 * Rows without a folder's own access time: a commit does not compare it, so it is as of the folder's last other change, and a delta
 * does not name the folder again for it.
 */
const rowsAt = async (volumeId: number, date: string) =>
  [...(await readRows(stores, volumeId, date)).values()].map(({ fromScan: _, previousPath: __, accessed, ...row }) => ({
    ...row,
    accessed: row.isDirectory ? 0 : accessed,
  }))

/** Numbers of files of the last scan, by dimension. */
const statisticsOf = (volumeId: number) =>
  stores.clickhouse.rows(sql`
    SELECT dimension, bucket, files, bytes, on_disk FROM volume_statistics
    WHERE volume = ${volumeId} AND scan = (SELECT max(scan) FROM volume_statistics WHERE volume = ${volumeId}) ORDER BY dimension, bucket`)

/** Makes a disk readable, which listing changes requires. */
function mend(disk: Disk): void {
  for (const { node } of places(disk)) Object.assign(node, { failing: false, unreadable: 'no' })
}

/** The first one has folders whose subfolders have no files. */
const firstSeed = 16
test.each(Array.from({ length: cases(1, 60) }, (_, i) => firstSeed + i))(
  'delta and full scans of a random history make the snapshots of full scans (seed %i)',
  async (seed) => {
    const random = newRandom(seed)
    const disk = newDisk(random, 30)
    mend(disk)
    const [mixed, full] = [await newVolume(stores, `mixed ${seed}`), await newVolume(stores, `full ${seed}`)]
    let before = rememberDisk(disk)
    let last = await scan(mixed, day(0), inFull(before))
    await scan(full, day(0), inFull(before))
    for (let n = 1; n < cases(3, 4); n++) {
      for (let change = random.below(12); change > 0; change--) changeDisk(random, disk)
      mend(disk)
      const now = rememberDisk(disk)
      last = random.chance(0.8)
        ? await scan(mixed, day(n), listDelta(random, before, now), last)
        : await scan(mixed, day(n), inFull(now))
      await scan(full, day(n), inFull(now))
      expect(await rowsAt(mixed, day(n))).toEqual(await rowsAt(full, day(n)))
      expect(await statisticsOf(mixed)).toEqual(await statisticsOf(full))
      await changeLayers(stores, random, mixed)
      expect(await rowsAt(mixed, day(n))).toEqual(await rowsAt(full, day(n)))
      before = now
    }
  },
)

const file = (name: string, parentPath = '/') => ({
  parentPath,
  name,
  isDirectory: false,
  size: 5,
  allocatedSize: 512,
  linkCount: 1,
  device: 1,
  inode: 9,
  owner: 'ana',
  group: '',
  mode: 0o100644,
  linkTarget: '',
  created: 1,
  modified: 2,
  accessed: 3,
})
const add =
  (row: ReturnType<typeof file>): ListedChange =>
  (rows) =>
    rows.add(row)
const folder = (name: string, parentPath = '/') => ({ ...file(name, parentPath), isDirectory: true })
const some = [add({ ...folder('', ''), parentPath: '' }), add(folder('a')), add(file('one', '/a/')), add(file('two'))]
const pathsOf = async (volumeId: number) =>
  [...(await readRows(stores, volumeId, '2999-01-01')).values()].map(({ parentPath, name }) => parentPath + name)

test('a delta that names nothing changes nothing; one of another scan, or of a volume without one, has to restart', async () => {
  const volumeId = await newVolume(stores, 'stale')
  await expect(scan(volumeId, day(0), [], 7)).rejects.toBeInstanceOf(UnfitMarks)
  const first = await scan(volumeId, day(0), some)
  await scan(volumeId, day(1), [], first)
  await expect(scan(volumeId, day(2), [], first)).rejects.toBeInstanceOf(UnfitMarks)
  expect(await pathsOf(volumeId)).toEqual(['', '/a', '/two', '/a/one'])
})

test('a delta that contradicts the committed scan has to restart, and leaves it as it is', async () => {
  const volumeId = await newVolume(stores, 'contradicted')
  const first = await scan(volumeId, day(0), some)
  const unfit: Record<string, ListedChange[]> = {
    'moves a folder that is not known': [(rows, scan) => rows.addGone(folder('x'), scan, '/y'), add(folder('y'))],
    'changes a file in a folder that is not known': [add(file('new', '/nowhere/'))],
    'removes a folder and changes what is in it': [
      (rows, scan) => rows.addGone(folder('a'), scan),
      add(file('n', '/a/')),
    ],
    'replaces a folder by a file without its removal': [add(file('a'))],
  }
  const accepted: string[] = []
  for (const [what, told] of Object.entries(unfit)) {
    const end = await scan(volumeId, day(1), told, first).catch((error: unknown) => error)
    if (!(end instanceof UnfitMarks)) accepted.push(`${what}: ${String(end)}`)
  }
  expect(accepted).toEqual([])
  expect(await pathsOf(volumeId)).toEqual(['', '/a', '/two', '/a/one'])
})

test('a file is removed from a storage whose own folder changed', async () => {
  const volumeId = await newVolume(stores, 'root changed')
  const first = await scan(volumeId, day(0), some)
  const changed = { ...folder('', ''), parentPath: '', modified: 9 }
  await scan(volumeId, day(1), [add(changed), (rows, scan) => rows.addGone(file('two'), scan)], first)
  expect(await pathsOf(volumeId)).toEqual(['', '/a', '/a/one'])
})

test('a file that takes the path of a moved one is another file', async () => {
  const volumeId = await newVolume(stores, 'reused')
  const first = await scan(volumeId, day(0), some)
  const gone: ListedChange = (rows, scan) => rows.addGone(file('two'), scan, '/a/two')
  await scan(volumeId, day(1), [add({ ...file('two'), inode: 10, size: 6 }), gone, add(file('two', '/a/'))], first)
  const rows = await readRows(stores, volumeId, day(1))
  expect([...rows.values()].map(({ parentPath, name, size }) => [parentPath + name, size])).toEqual([
    ['', 16],
    ['/a', 10],
    ['/two', 6],
    ['/a/one', 5],
    ['/a/two', 5],
  ])
})

/** Entries whose totals need more than those of their folders: hard links, unreadable and unrecorded ones. */
const irregular: ListedChange[] = [
  ...['links', 'more', 'lost', 'closed', 'uncounted'].map((name) => add(folder(name))),
  add({ ...file('f', '/links/'), linkCount: 2, inode: 70 }),
  add({ ...file('f', '/more/'), linkCount: 2, inode: 70 }),
  add(folder('deep', '/lost/')),
  add({ ...file('f', '/lost/deep/'), size: -1, created: 0, modified: 0, accessed: 0 }),
  (rows) => rows.addUnreadable(folder('closed')),
  (rows) => rows.addListed(folder('uncounted'), 0, { files: 3, size: 30, allocatedSize: 1_536 }),
  add(folder('plain')),
  add(folder('deep', '/plain/')),
  add({ ...file('f', '/plain/deep/'), accessed: 50, modified: 40 }),
]

test('totals after a delta elsewhere equal those of a full scan', async () => {
  const [listed, full] = [await newVolume(stores, 'elsewhere'), await newVolume(stores, 'elsewhere in full')]
  const newest = add({ ...file('newest'), accessed: 90, modified: 80 })
  const first = await scan(listed, day(0), [...some, newest, ...irregular])
  await scan(listed, day(1), [(rows, scan) => rows.addGone(file('newest'), scan), add(file('new', '/a/'))], first)
  await scan(full, day(1), [...some, add(file('new', '/a/')), ...irregular])
  expect(await rowsAt(listed, day(1))).toEqual(await rowsAt(full, day(1)))
})

test('a delta that removes one of two hard links counts the other one', async () => {
  const [listed, full] = [await newVolume(stores, 'links'), await newVolume(stores, 'links in full')]
  const linked = { linkCount: 2, inode: 70 }
  const [one, other] = [
    { ...file('f', '/a/'), ...linked },
    { ...file('g'), ...linked },
  ]
  const first = await scan(listed, day(0), [...some, add(one), add(other)])
  const last = { ...other, linkCount: 1 }
  await scan(listed, day(1), [(rows, scan) => rows.addGone(one, scan), add(last)], first)
  await scan(full, day(1), [...some, add(last)])
  expect(await rowsAt(listed, day(1))).toEqual(await rowsAt(full, day(1)))
})
