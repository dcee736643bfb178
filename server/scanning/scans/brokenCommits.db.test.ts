import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { render, sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { brokenOff } from './completeScan.ts'
import { cancelScan } from './endScan.ts'
import { queueScans } from './index.ts'
import { startScanning } from './testing/startScanning.ts'
import { rowsOf, simulatedAgent } from './testing/simulatedAgent.ts'

const platform = await testPlatform()
const { db, nats, clickhouse } = platform
const store = { isAway: true, asked: 0 }
let onCommit: (() => Promise<void>) | undefined
/** A ClickHouse that is down once the snapshot is visible and tags are to follow moved entries. */
const rows: Platform['clickhouse']['rows'] = async (question, asked) => {
  const isOfMoves = JSON.stringify(render(question)).includes('moves_')
  if (isOfMoves) store.asked++
  if (isOfMoves && store.isAway) throw new Error('The connection broke')
  return clickhouse.rows(question, asked)
}
const unreachable = { isAway: false, asked: 0 }
/** A ClickHouse that can't be reached from the beginning of a commit. */
const one: Platform['clickhouse']['one'] = async (question, asked) => {
  const isOfCommit = JSON.stringify(render(question)).includes('standIns')
  if (isOfCommit) await onCommit?.()
  if (isOfCommit && unreachable.isAway) {
    unreachable.asked++
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  return clickhouse.one(question, asked)
}
const leases = { silentSince: Date.now(), lastWorkedOn: () => leases.silentSince }
await taskConsumers(nats, 1)
const { takeTask, send, complete } = simulatedAgent(nats)
const scans = await startScanning({ ...platform, clickhouse: { ...clickhouse, rows, one } }, leases)
afterAll(() => scans.stop())

let volumeId = 0
beforeAll(async () => {
  volumeId = await createFileStorage(db, { name: 'volume', path: '/somewhere' })
})

/** A scan whose batches all arrived. */
async function arrived(): Promise<number> {
  await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  const order = await takeTask()
  await send(order, rowsOf())
  await complete(order, 1)
  return order.scanId
}
const scanOf = (id: number) => db.selectFrom('scans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a commit that fails after its snapshot is visible is finished as soon as the store is back', async () => {
  const scanId = await arrived()
  const state = async () => (await scanOf(scanId)).state
  const tables = async () => {
    const left = await clickhouse.rows(sql`
      SELECT name FROM system.tables WHERE database = currentDatabase() AND endsWith(name, ${`_${scanId}`})`)
    return left.length
  }
  await expect.poll(() => store.asked).toBeGreaterThan(1)
  expect([await state(), (await tables()) > 0]).toEqual(['done', true])
  store.isAway = false
  await expect.poll(tables).toBe(0)
  await expect.poll(() => brokenOff().includes(scanId)).toBe(false)
  expect(await state()).toBe('done')
})

test('an interrupted commit is not retried once its scan is canceled', async () => {
  store.isAway = true
  const scanId = await arrived()
  // Other tests of this process have interrupted commits of their own.
  await expect.poll(() => brokenOff().includes(scanId)).toBe(true)
  await cancelScan(platform, await scanOf(scanId), 'ana')
  await expect.poll(() => brokenOff().includes(scanId)).toBe(false)
  expect((await scanOf(scanId)).state).toBe('cancelled')
})

test('a commit whose scan is cancelled in the middle ends without an error', async () => {
  store.isAway = false
  const errors = vi.spyOn(platform.log, 'error')
  const hasFailed = () => errors.mock.calls.some(([, text]) => text === 'The snapshot could not be made')
  const isCancelled = new Promise<void>((resolve) => {
    onCommit = async () => {
      onCommit = undefined
      const scan = await db.selectFrom('scans').selectAll().where('state', '=', 'committing').executeTakeFirstOrThrow()
      await cancelScan(platform, scan, 'ana')
      resolve()
    }
  })
  await arrived()
  await isCancelled
  await arrived().then((id) => expect.poll(async () => (await scanOf(id)).state).toBe('done'))
  expect(hasFailed()).toBe(false)
  errors.mockRestore()
})

test('a commit waits while a store is away, however often it fails, and its scan does not fail', async () => {
  store.isAway = false
  unreachable.isAway = true
  const scanId = await arrived()
  await expect.poll(() => unreachable.asked).toBeGreaterThan(6)
  expect((await scanOf(scanId)).state).toBe('committing')
  unreachable.isAway = false
  await expect.poll(async () => (await scanOf(scanId)).state).toBe('done')
})
