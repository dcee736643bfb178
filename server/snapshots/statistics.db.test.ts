import { expect, test } from 'vitest'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { commitScan } from './commit/commitScan.ts'
import { newDisk } from './oracle/disk.ts'
import type { Row } from './oracle/expectedRows.ts'
import { newRandom } from './oracle/random.ts'
import { readRows } from './oracle/readRows.ts'
import { newScan, newVolume, stage } from './oracle/scanDisk.ts'
import { walkDisk } from './oracle/walkDisk.ts'

const dayOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString('en-CA')
const bucketsOf = (row: Row): Record<string, string> => ({
  SIZE: row.size < 0 ? '' : row.size === 0 ? '0' : String(2 ** Math.floor(Math.log2(row.size))),
  MODIFIED_DATE: row.size < 0 && row.modified === 0 ? '' : dayOf(row.modified),
  ACCESS_DATE: row.size < 0 && row.accessed === 0 ? '' : dayOf(row.accessed),
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
