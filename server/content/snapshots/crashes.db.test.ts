import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { commitScan, type Step } from './commit/commitScan.ts'
import { dropReplacedGenerations } from './commit/leftovers.ts'
import { removeEnded } from './retention/removeEnded.ts'
import { changeDisk } from './oracle/changeDisk.ts'
import { type Disk, newDisk } from './oracle/disk.ts'
import { commitRows } from './oracle/expectedCommit.ts'
import { type Row, rowsOf } from './oracle/expectedRows.ts'
import { type Entries, learn } from './oracle/expectedVersions.ts'
import { comparable, leaveOut, remember, type Remembered } from './oracle/leaveOut.ts'
import { newRandom } from './oracle/random.ts'
import { readRows } from './oracle/readRows.ts'
import { newScan, newVolume, stage } from './oracle/scanDisk.ts'
import { walkDisk } from './oracle/walkDisk.ts'
import { recoverLeftovers } from './commit/recoverLeftovers.ts'
import { cases, isLong, testSeed } from '#server/platform/testing/cases.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

class KilledError extends Error {}
const steps: Step[] = [
  'carried over',
  'rolled up',
  'compared',
  'closed',
  'written',
  'counted',
  'duplicates',
  'switched',
  'followed',
]
const random = newRandom(testSeed(11))
let day = 1

/** A volume with its expected snapshots so far. */
async function newHistory(name: string) {
  const disk: Disk = newDisk(random, 30)
  const volumeId = await newVolume(stores, name)
  let known: Entries = new Map()
  let rows = new Map<string, Row>()
  let remembered: Remembered | undefined
  const snapshots: { date: string; rows: Map<string, Row> }[] = []
  return {
    volumeId,
    async plan() {
      const date = new Date(Date.UTC(2026, 2, day++)).toISOString().slice(0, 10)
      const scanId = await newScan(stores, { volumeId, indexingDate: date, cloneIndex: false })
      const seen = walkDisk(disk)
      const before = await comparable(stores, volumeId, remembered)
      await stage(stores, random, scanId, before ? leaveOut(seen, before) : seen, '', before?.scan)
      remembered = remember(scanId, seen)
      known = learn(known, seen)
      rows = commitRows(rows, rowsOf(known), scanId).after
      for (let change = 0; change < 15; change++) changeDisk(random, disk)
      return { scanId, is: { date, rows } }
    },
    committed: (snapshot: { date: string; rows: Map<string, Row> }) => void snapshots.push(snapshot),
    /** The first snapshot and the last two, which a commit could damage, or all. */
    async expectExact(which = [0, snapshots.length - 2, snapshots.length - 1]) {
      for (const { date, rows: then } of snapshots.filter((_, i) => which.includes(i))) {
        const found = await readRows(stores, volumeId, date)
        expect([...found].sort()).toEqual([...then].sort())
      }
    },
  }
}

/** Stops a commit at a step like a kill: nothing after it runs. */
const killedAfter = (step: Step) => (onStep: Step) => {
  if (onStep === step) throw new KilledError(step)
}

test('a commit that is killed after any step shows nothing, and is exact when it is called again', async () => {
  const history = await newHistory('killed')
  for (const step of isLong
    ? (['written', ...steps] as const)
    : (['written', 'closed', 'duplicates', 'switched'] as const)) {
    const { scanId, is } = await history.plan()
    let switches = 0
    const switched = async () => void switches++
    await expect(commitScan(stores, scanId, switched, killedAfter(step))).rejects.toThrow(KilledError)
    if (switches === 1) history.committed(is)
    await history.expectExact()
    if (step === 'switched') await recoverLeftovers(stores)
    else await commitScan(stores, scanId, switched)
    expect(switches).toBe(1)
    if (step !== 'switched' && step !== 'followed') history.committed(is)
    await history.expectExact()
  }
  await history.expectExact([...steps.keys()])
  await recoverLeftovers(stores)
  await expectNothingLeft(history.volumeId)
})

test('a switch that fails halfway changes nothing', async () => {
  const history = await newHistory('halfway')
  for (let n = 0; n < cases(1, 2); n++) {
    const { scanId, is } = await history.plan()
    const failing = async () => {
      throw new KilledError('in the transaction')
    }
    await expect(commitScan(stores, scanId, failing)).rejects.toThrow(KilledError)
    await history.expectExact()
    await commitScan(stores, scanId, async () => {})
    history.committed(is)
    await history.expectExact()
    await commitScan(stores, scanId, () => Promise.reject(new Error('This scan has been switched already')))
    await history.expectExact()
  }
})

test('a scan that is cancelled while its snapshot is made leaves none', async () => {
  const history = await newHistory('cancelled')
  const first = await history.plan()
  await commitScan(stores, first.scanId, async () => {})
  history.committed(first.is)
  const { scanId } = await history.plan()
  const cancel = async (step: Step) => {
    if (step === 'counted')
      await stores.db.updateTable('scans').set({ state: 'cancelled' }).where('id', '=', scanId).execute()
  }
  await expect(commitScan(stores, scanId, async () => {}, cancel)).rejects.toThrow(/ended while/)
  await history.expectExact()
  await expectNothingLeft(history.volumeId)
})

/**
 * After what was replaced is removed: only the generations that are read are left, no lists of ended rows, no rows outside of snapshots, and
 * no table of a scan.
 */
async function expectNothingLeft(volumeId: number): Promise<void> {
  await dropReplacedGenerations(stores, 0)
  for (const _ of ['the rows', 'their list']) await removeEnded(stores, 0)
  const { committedScan, generation, layers } = await stores.db
    .selectFrom('volumes')
    .select(['committedScan', 'generation', 'layers'])
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  const generations = await stores.clickhouse.rows<{ generation: number }>(
    sql`SELECT DISTINCT generation FROM entries WHERE volume = ${volumeId}`,
  )
  expect([...layers, generation]).toEqual(expect.arrayContaining(generations.map((row) => row.generation)))
  expect(await stores.clickhouse.rows(sql`SELECT * FROM ended_rows WHERE volume = ${volumeId}`)).toEqual([])
  const later = await stores.clickhouse.rows(
    sql`SELECT 1 FROM entry_history WHERE volume = ${volumeId} AND to_scan > ${committedScan}`,
  )
  expect(later).toEqual([])
  const tables = await stores.clickhouse.rows(sql`
    SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '_\\d+$')`)
  expect(tables).toEqual([])
}
