import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres.ts'
import { sql } from '#server/platform/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing.ts'
import { commitScan } from './commitScan.ts'
import { groupsAt, versionsOf } from './countDuplicates.ts'
import { dropReplacedGenerations } from './leftovers.ts'
import { changeDisk } from './model/changeDisk.ts'
import { type Disk, newDisk } from './model/disk.ts'
import type { Row } from './model/expectedRows.ts'
import { newRandom } from './model/random.ts'
import { readRows } from './model/readRows.ts'
import { newScan, newVolume, stage } from './model/scanDisk.ts'
import { walkDisk } from './model/walkDisk.ts'
import { snapshotAt } from './snapshotAt.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const random = newRandom(5)
type Options = { cloneIndex?: boolean }

async function scan(volumeId: number, disk: Disk, indexingDate: string, { cloneIndex = true }: Options = {}) {
  const scanId = await newScan(stores, { volumeId, indexingDate, cloneIndex })
  await stage(stores, random, scanId, walkDisk(disk))
  await commitScan(stores, scanId, async () => {})
}

/** What makes entries the same, in words; nothing for what is like no other. */
function identity(row: Row): string | undefined {
  const { isDirectory, name, size, created, modified, files, folders } = row
  if (isDirectory) return created > 0 ? JSON.stringify([size, created, files, folders]) : undefined
  return size > 0 ? JSON.stringify([name, size, modified]) : undefined
}

/** The groups of the newest snapshot, counted by sorting. */
async function countedBySorting(): Promise<string[]> {
  const snapshot = await snapshotAt(stores.db)
  const found: { identity: string; row: Row }[] = []
  for (const { volumeId } of snapshot?.volumes ?? [])
    for (const row of (await readRows(stores, volumeId, snapshot?.indexingDate ?? '')).values()) {
      const same = identity(row)
      if (same !== undefined) found.push({ identity: `${row.isDirectory} ${same}`, row })
    }
  const groups = Map.groupBy(found, (each) => each.identity)
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((group) => `${group[0]?.row.isDirectory} ${group.length} ${group.reduce((sum, { row }) => sum + row.size, 0)}`)
    .sort()
}

async function groups(): Promise<string[]> {
  const { version } = await stores.db.selectFrom('duplicatesVersion').select('version').executeTakeFirstOrThrow()
  const rows = await stores.clickhouse.rows<{ isDirectory: boolean; copies: number; bytes: number }>(
    sql`SELECT is_directory AS isDirectory, copies, bytes FROM ${groupsAt(version)}`,
  )
  return rows.map(({ isDirectory, copies, bytes }) => `${isDirectory} ${copies} ${bytes}`).sort()
}

async function expectExact(): Promise<number> {
  const found = await groups()
  expect(found).toEqual(await countedBySorting())
  return found.length
}

test('copies are counted over all volumes of the newest date, as they come, change and go', async () => {
  const disks = [newDisk(random, 80), newDisk(random, 80)] as const
  const volumes = [await newVolume(stores, 'one'), await newVolume(stores, 'two')] as const
  let most = 0
  for (let day = 1; day <= 6; day++) {
    const which = day % 2 === 1 ? 0 : 1
    await scan(volumes[which], disks[which], `2026-01-0${day}`)
    most = Math.max(most, await expectExact())
    for (let change = 0; change < 20; change++) changeDisk(random, disks[which])
  }
  expect(most).toBeGreaterThan(3)

  await scan(volumes[0], disks[0], '2026-01-07', { cloneIndex: false })
  await expectExact()
  await scan(volumes[1], disks[1], '2026-01-07')
  await expectExact()

  await stores.db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', volumes[1]).execute()
  await stores.db
    .deleteFrom('snapshots')
    .where('volumeId', '=', volumes[1])
    .where('indexingDate', '=', '2026-01-07')
    .execute()
  await scan(volumes[0], disks[0], '2026-01-08')
  await expectExact()
})

test('versions of the groups do not pile up', async () => {
  const disk = newDisk(random, 40)
  const volume = await newVolume(stores, 'many')
  await scan(volume, disk, '2026-01-09')
  const before = await stores.db.selectFrom('duplicatesVersion').select('version').executeTakeFirstOrThrow()
  for (let version = before.version + 1; version < before.version + 18; version++)
    await stores.clickhouse.command(sql`INSERT INTO duplicate_groups VALUES (${version}, ${version}, false, 0, 0)`)
  await stores.db
    .updateTable('duplicatesVersion')
    .set({ version: before.version + 17 })
    .execute()
  for (let change = 0; change < 10; change++) changeDisk(random, disk)
  await scan(volume, disk, '2026-01-09')
  expect((await versionsOf(stores.clickhouse)).length).toBeGreaterThan(16)
  const soon = -2_000
  await dropReplacedGenerations(stores, soon)
  expect(await versionsOf(stores.clickhouse)).toEqual([before.version + 18])
  await expectExact()
})
