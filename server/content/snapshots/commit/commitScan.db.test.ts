import { expect, test } from 'vitest'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { commitScan } from './commitScan.ts'
import { changeLayers } from '#server/content/snapshots/oracle/changeLayers.ts'
import { changeDisk } from '#server/content/snapshots/oracle/changeDisk.ts'
import { newDisk, places } from '#server/content/snapshots/oracle/disk.ts'
import { commitRows } from '#server/content/snapshots/oracle/expectedCommit.ts'
import { type Row, rowsOf } from '#server/content/snapshots/oracle/expectedRows.ts'
import { type Entries, learn } from '#server/content/snapshots/oracle/expectedVersions.ts'
import { comparable, leaveOut, remember, type Remembered } from '#server/content/snapshots/oracle/leaveOut.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newScan, newVolume, stage } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { cases } from '#server/platform/testing/cases.ts'

const dateOf = (n: number) => `2026-01-${String(n).padStart(2, '0')}`

const seeds = Array.from({ length: cases(1, 20) }, (_, i) => i + 1)

test.each(seeds)(
  'every snapshot shows the result of its scan, after any later changes of the disk (%i)',
  async (seed) => {
    const stores = { db: await testDb(), clickhouse: await testClickHouse() }
    const random = newRandom(seed)
    const disk = newDisk(random, 60)
    const volumeId = await newVolume(stores, `disk ${seed}`)
    let known: Entries = new Map()
    let rows = new Map<string, Row>()
    let remembered: Remembered | undefined
    const dates: Map<string, Row>[] = []
    for (let n = 1; n <= cases(4, 6); n++) {
      const folders = places(disk).filter(({ node }) => node.children)
      const scannedPath = n > 1 && random.chance(0.4) && folders.length > 0 ? random.pick(folders).path : ''
      const scanId = await newScan(stores, { volumeId, indexingDate: dateOf(n), scannedPath })
      const seen = walkDisk(disk, scannedPath)
      // An agent that lost its memory sends everything, and so does one that is checked.
      if (random.chance(0.1)) remembered = undefined
      const before = await comparable(stores, volumeId, remembered)
      const sent = before ? leaveOut(seen, before, random.chance(0.2)) : seen
      await stage(stores, random, scanId, sent, scannedPath, before?.scan)
      await commitScan(stores, scanId, async () => {})
      remembered = remember(scanId, seen)
      known = learn(known, seen, scannedPath)
      const expected = commitRows(rows, rowsOf(known), scanId)
      rows = expected.after
      dates.push(rows)
      const endings = await stores.clickhouse.one(sql`
      SELECT countIf(ended = 'changed') AS changed, countIf(ended = 'deleted') AS deleted, countIf(ended = 'moved') AS moved
      FROM entry_history WHERE volume = ${volumeId} AND to_scan = ${scanId}`)
      for (const [at, then] of dates.entries())
        expectSame(await readRows(stores, volumeId, dateOf(at + 1)), then, `${seed}: ${n}, ${at + 1}`)
      expect(endings).toEqual({
        changed: expected.changes.changed,
        deleted: expected.changes.deleted,
        moved: expected.changes.moved,
      })
      await changeLayers(stores, random, volumeId)
      for (let change = 0; change < 25; change++) if (n !== 3) changeDisk(random, disk)
    }
  },
)

test('a changed folder counts all entries in it, however many they are', async () => {
  const stores = { db: await testDb(), clickhouse: await testClickHouse() }
  const volumeId = await newVolume(stores, 'many')
  const unrecorded = (times: number) => ({ files: 300 * times, size: 70_000 * times, allocatedSize: 90_000 * times })
  const scanMany = (count: number, indexingDate: string) =>
    scanFolders(stores, { volumeId, indexingDate }, [
      {
        path: '',
        entries: Array.from({ length: count }, (_, i) => ({
          path: `/shot_${i}`,
          isDirectory: i % 2 === 0,
          inode: i + 2,
        })),
        unrecorded: unrecorded(count),
      },
      ...Array.from({ length: count / 2 }, (_, i) => ({ path: `/shot_${i * 2}`, entries: [] })),
    ])
  for (const [count, date] of [
    [600, dateOf(1)],
    [1_000, dateOf(2)],
  ] as const) {
    await scanMany(count, date)
    const { files, size, allocatedSize } = unrecorded(count)
    expect(await rootOf(stores, volumeId)).toEqual({
      files: count / 2 + files,
      folders: count / 2,
      unrecordedFiles: files,
      unrecordedSize: size,
      unrecordedAllocated: allocatedSize,
    })
  }
})

async function rootOf({ db, clickhouse }: Stores, volumeId: number) {
  const { generation } = await db
    .selectFrom('volumes')
    .select('generation')
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  return clickhouse.one(sql`
    SELECT toFloat64(files) AS files, toFloat64(folders) AS folders, toFloat64(unrecorded_files) AS unrecordedFiles,
      toFloat64(unrecorded_size) AS unrecordedSize, toFloat64(unrecorded_allocated) AS unrecordedAllocated
    FROM entries WHERE volume = ${volumeId} AND generation = ${generation ?? 0} AND parent_path = '' AND name = ''`)
}

function expectSame(found: Map<string, Row>, expected: Map<string, Row>, where: string): void {
  const key = ([a]: [string, Row], [b]: [string, Row]) => (a < b ? -1 : 1)
  expect({ where, rows: [...found].sort(key) }).toEqual({ where, rows: [...expected].sort(key) })
}
