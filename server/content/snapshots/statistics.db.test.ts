import { expect, test } from 'vitest'
import { otherExtensions } from '#events/storages.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { readStatistics } from '#server/scanning/storages/readStatistics.ts'
import { commitScan } from './commit/commitScan.ts'
import { newDisk } from './oracle/disk.ts'
import { lastUse, type Row } from './oracle/expectedRows.ts'
import { newRandom } from './oracle/random.ts'
import { readRows } from './oracle/readRows.ts'
import { newScan, newVolume, stage } from './oracle/scanDisk.ts'
import { scanFolders } from './oracle/scanFolders.ts'
import { walkDisk } from './oracle/walkDisk.ts'

const dayOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString('en-CA')
const bucketsOf = (row: Row): Record<string, string> => ({
  SIZE: row.size < 0 ? '' : row.size === 0 ? '0' : String(2 ** Math.floor(Math.log2(row.size))),
  MODIFIED_DATE: row.modified === 0 ? '' : dayOf(row.modified),
  ACCESS_DATE: lastUse(row) === 0 ? '' : dayOf(lastUse(row)),
  CREATION_DATE: row.created === 0 ? '' : dayOf(row.created),
  EXTENSION: row.extension,
  OWNER: row.owner,
  GROUP: row.group,
  STORAGE_CLASS: '',
  BACKUP_DATE: row.backedUp === 0 ? '' : dayOf(row.backedUp),
})

test('files and bytes are counted by size, day, extension and owner; a scan that found no change has the same', async () => {
  const stores = { db: await testDb(), clickhouse: await testClickHouse() }
  const random = newRandom(9)
  const disk = newDisk(random, 200)
  const volumeId = await newVolume(stores, 'counted')
  for (const indexingDate of ['2026-01-01', '2026-01-02']) {
    const scanId = await newScan(stores, { volumeId, indexingDate })
    await stage(stores, random, scanId, walkDisk(disk))
    await commitScan(stores, scanId, async () => {})
    const expected = new Map<string, { files: number; bytes: number }>()
    for (const row of (await readRows(stores, volumeId, indexingDate)).values())
      for (const [dimension, bucket] of row.isDirectory ? [] : Object.entries(bucketsOf(row))) {
        const before = expected.get(`${dimension} ${bucket}`) ?? { files: 0, bytes: 0 }
        expected.set(`${dimension} ${bucket}`, { files: before.files + 1, bytes: before.bytes + Math.max(row.size, 0) })
      }
    const found = await stores.clickhouse.rows<{ key: string; files: number; bytes: number }>(sql`
      SELECT concat(dimension, ' ', bucket) AS key, files, bytes FROM volume_statistics
      WHERE volume = ${volumeId} AND scan = ${scanId}`)
    expect(new Map(found.map(({ key, ...counts }) => [key, counts]))).toEqual(expected)
  }
  const generations = await stores.clickhouse.rows(sql`SELECT DISTINCT generation FROM entries`)
  expect(generations).toHaveLength(1)
})

test('of a mailbox with an extension for each message, the thousand largest are kept, and all others as one', async () => {
  const stores = { db: await testDb(), clickhouse: await testClickHouse() }
  const volumeId = await newVolume(stores, 'mail')
  const messages = Array.from({ length: 3_000 }, (_, n) => ({ path: `/1700000.M${n}.host,S=${n}:2,S`, size: n }))
  const scanId = await scanFolders(stores, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries: messages }])
  const found = await stores.clickhouse.rows<{ bucket: string; files: number; bytes: number }>(sql`
    SELECT bucket, files, bytes FROM volume_statistics
    WHERE volume = ${volumeId} AND scan = ${scanId} AND dimension = 'EXTENSION' ORDER BY bytes DESC`)
  expect(found).toHaveLength(1_001)
  expect(found[0]).toEqual({ bucket: otherExtensions, files: 2_000, bytes: (2_000 * 1_999) / 2 })
  expect(found[1]).toEqual({ bucket: 'host,s=2999:2,s', files: 1, bytes: 2_999 })
  expect(found.at(-1)).toEqual({ bucket: 'host,s=2000:2,s', files: 1, bytes: 2_000 })
  const read = await readStatistics(stores.clickhouse, volumeId, [
    { indexingDate: '2026-01-01', scanId, accessTimes: 'recorded' },
  ])
  const { EXTENSION } = read('2026-01-01')
  expect(EXTENSION[otherExtensions]?.numberOfFiles).toBe(3_000 - (Object.keys(EXTENSION).length - 1))
  expect(Object.values(EXTENSION).reduce((sum, { sizeOfFiles }) => sum + sizeOfFiles, 0)).toBe((3_000 * 2_999) / 2)
})
