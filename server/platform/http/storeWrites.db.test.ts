import { sql as postgres } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { checkReads, checkStores } from './health.ts'
import { writeState } from './storeWrites.ts'

const platform = await testPlatform()
const up = { status: 'UP' }
const longMs = 30_000
afterEach(() => void vi.useRealTimers())

test('health writes to the disk of every store, and keeps little of it', async () => {
  const { db, clickhouse, nats } = platform
  const position = async () =>
    (await postgres<{ at: string }>`SELECT pg_current_wal_insert_lsn() - '0/0' AS at`.execute(db)).rows[0]?.at
  const before = await position()
  expect(await checkStores(platform, longMs)).toEqual({ postgres: up, clickhouse: up, nats: up })
  expect(Number(await position())).toBeGreaterThan(Number(before))
  await clickhouse.writeCheck()
  await clickhouse.command(sql`OPTIMIZE TABLE health_checks FINAL`)
  const { rows } = await clickhouse.one<{ rows: number }>(sql`SELECT count() AS rows FROM health_checks`)
  expect(Number(rows)).toBe(1)
  await checkStores({ ...platform, nats: { ...nats } }, longMs)
  const { config, state } = await nats.jsm.streams.info('HEALTH')
  expect([config.storage, state.messages]).toEqual(['file', 1])
})

test('a store that can be read but not written is down with the reason, and calls still reach it', async () => {
  const refusing = (failure: unknown) => () => Promise.reject(failure)
  const full = Object.assign(new Error('Code: 243. Cannot reserve 1 MiB, not enough space: /secret/path'), {
    type: 'NOT_ENOUGH_SPACE',
  })
  const clickhouse = { ...platform.clickhouse, writeCheck: refusing(full) }
  const nats = {
    ...platform.nats,
    js: Object.assign(Object.create(platform.nats.js), { publish: refusing(new Error('insufficient resources')) }),
  }
  const reason = 'cannot be written: the disk is full'
  const down = { status: 'DOWN', reason }
  const stores = { ...platform, clickhouse, nats }
  expect(await checkStores(stores, longMs)).toEqual({ postgres: up, clickhouse: down, nats: down })
  expect(await checkReads(stores, longMs)).toEqual({ postgres: up, clickhouse: up, nats: up })
})

test.each([
  [{ code: '53100', message: 'could not extend file "base/1": No space left on device' }, 'the disk is full'],
  [{ code: 'ENOSPC', message: 'write' }, 'the disk is full'],
  [{ message: 'open: Read-only file system' }, 'the disk is read-only'],
  [{ code: '25006', message: 'cannot execute INSERT in a read-only transaction' }, 'it is read-only'],
  [{ code: 'EACCES', message: '/data/x' }, 'the permission is missing'],
  [{ code: '58030', message: 'could not write file' }, 'the disk reports an error'],
  [new Error('/data/private is strange'), 'the write failed'],
])('%j is reported by its kind, without names of files', async (failure, reason) => {
  const write = () => Promise.reject(failure)
  expect(await writeState({}, write, longMs)).toEqual({ isOk: false, reason: `cannot be written: ${reason}` })
})

test('stores are written at most every 20 seconds, however often health is requested', async () => {
  vi.useFakeTimers()
  const store = {}
  const write = vi.fn(() => Promise.resolve())
  const ask = () => writeState(store, write, 2_000)
  await Promise.all([ask(), ask(), ask()])
  await vi.advanceTimersByTimeAsync(19_000)
  await ask()
  expect(write).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await ask()
  expect(write).toHaveBeenCalledTimes(2)
})

test('a write that hangs counts as failed after ten seconds, and delays no one', async () => {
  vi.useFakeTimers()
  const store = {}
  let isHanging = true
  const write = () => (isHanging ? new Promise(() => {}) : Promise.resolve())
  const ask = async () => {
    const state = writeState(store, write, 2_000)
    await vi.advanceTimersByTimeAsync(2_000)
    return state
  }
  expect(await ask()).toEqual({ isOk: true })
  await vi.advanceTimersByTimeAsync(8_000)
  const failed = { isOk: false, reason: 'did not write within 10 seconds' }
  expect(await ask()).toEqual(failed)
  isHanging = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await ask()).toEqual({ isOk: true })
})
