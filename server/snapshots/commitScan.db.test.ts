import { expect, test } from 'vitest'
import { testClickHouse, testDb } from '#server/platform/testing.ts'
import { sql } from '#server/platform/sql.ts'
import { commitScan } from './commitScan.ts'
import { changeDisk } from './model/changeDisk.ts'
import { newDisk, places } from './model/disk.ts'
import { commitRows } from './model/expectedCommit.ts'
import { type Row, rowsOf } from './model/expectedRows.ts'
import { type Entries, learn } from './model/expectedVersions.ts'
import { newRandom } from './model/random.ts'
import { readRows } from './model/readRows.ts'
import { newScan, newVolume, stage } from './model/scanDisk.ts'
import { walkDisk } from './model/walkDisk.ts'

const dateOf = (n: number) => `2026-01-${String(n).padStart(2, '0')}`

const seeds = process.env['SEEDS']
  ? Array.from({ length: Number(process.env['SEEDS']) }, (_, i) => i + 1)
  : [1, 2, 3, 4]

test.each(seeds)('every snapshot shows what its scan found, whatever happens to the disk later (%i)', async (seed) => {
  const stores = { db: await testDb(), clickhouse: await testClickHouse() }
  const random = newRandom(seed)
  const disk = newDisk(random, 60)
  const volumeId = await newVolume(stores, `disk ${seed}`)
  let known: Entries = new Map()
  let rows = new Map<string, Row>()
  const dates: Map<string, Row>[] = []
  for (let n = 1; n <= 6; n++) {
    const folders = places(disk).filter(({ node }) => node.children)
    const scannedPath = n > 1 && random.chance(0.4) && folders.length > 0 ? random.pick(folders).path : ''
    const scanId = await newScan(stores, { volumeId, indexingDate: dateOf(n), scannedPath })
    const seen = walkDisk(disk, scannedPath)
    await stage(stores, random, scanId, seen, scannedPath)
    await commitScan(stores, scanId, async () => {})
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
    for (let change = 0; change < 25; change++) if (n !== 3) changeDisk(random, disk)
  }
})

function expectSame(found: Map<string, Row>, expected: Map<string, Row>, where: string): void {
  const key = ([a]: [string, Row], [b]: [string, Row]) => (a < b ? -1 : 1)
  expect({ where, rows: [...found].sort(key) }).toEqual({ where, rows: [...expected].sort(key) })
}
