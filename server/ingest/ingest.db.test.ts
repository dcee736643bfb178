import { zstdCompressSync } from 'node:zlib'
import { headers } from 'nats'
import { beforeAll, expect, test, vi } from 'vitest'
import { entryColumns } from '#events/scans/entryRow.ts'
import { batchHeaders, batchLimits, batchMessageId } from '#events/scans/batches.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { ensureStreams } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newDisk } from '#server/snapshots/model/disk.ts'
import { newRandom } from '#server/snapshots/model/random.ts'
import { batchesOf, newScan, newVolume } from '#server/snapshots/model/scanDisk.ts'
import { walkDisk } from '#server/snapshots/model/walkDisk.ts'
import { staging, startIngest } from './index.ts'
import { scanTableName, tablesOf } from './scanTables.ts'

let platform: Platform
beforeAll(async () => {
  platform = await testPlatform()
  await platform.db.insertInto('agents').values({ id: 7, name: 'Another' }).execute()
})

async function openScan(name: string): Promise<number> {
  const volumeId = await newVolume(platform, name)
  const scanId = await newScan(platform, { volumeId, indexingDate: '2026-02-01' })
  await platform.db.updateTable('scans').set({ state: 'running' }).where('id', '=', scanId).execute()
  await staging.create(platform.clickhouse, scanId)
  await staging.startAttempt(platform.clickhouse, scanId, 1)
  return scanId
}

type Message = { agentId?: number; id?: string; attempt?: number; batch?: number; data: Uint8Array }
async function publish(scanId: number, { agentId = 1, attempt = 1, batch = 1, data, id }: Message): Promise<void> {
  const head = headers()
  head.set(batchHeaders.attempt, String(attempt))
  head.set(batchHeaders.batch, String(batch))
  const msgID = id ?? batchMessageId(scanId, attempt, batch)
  await platform.nats.js.publish(subjects.entries(agentId, scanId), data, { headers: head, ...(msgID && { msgID }) })
}

const row = (attempt: number, batch: number, name = 'a', parentPath = '/') =>
  `${attempt}\t${batch}\t0\t${parentPath}\t${name}\t0\t1\t1\t1\t1\t1\t\t\t0\t\t0\t0\t0\t\t\t0\t{}\t0\n`
const packed = (text: string | Buffer) => zstdCompressSync(text)

const countRows = async (scanId: number) => {
  const { rows } = await platform.clickhouse.one<{ rows: number }>(
    sql`SELECT toFloat64(count()) AS rows FROM ${tablesOf(scanId).staging}`,
  )
  return rows
}
const refused = () => platform.db.selectFrom('refusedMessages').select(['reason', 'agentId', 'messages']).execute()
const waiting = async () => {
  const info = await platform.nats.jsm.consumers.info(streams.scans, consumers.entries)
  return info.num_pending + info.num_ack_pending
}
const settled = () => vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 50 })

test('batches arrive once each, whatever their order and however often they are sent', async () => {
  const scanId = await openScan('once')
  const random = newRandom(3)
  const seen = walkDisk(newDisk(random, 300))
  const batches = batchesOf(random, 1, seen)
  const told: number[] = []
  const ingest = await startIngest(platform, { inserted: async (id) => void told.push(id) })
  for (const { id, tsv } of [...batches, ...batches.slice(0, 3)]) await publish(scanId, { ...id, data: packed(tsv) })
  await settled()
  expect(await countRows(scanId)).toBe(seen.length)
  const announced = { attempt: 1, batches: batches.length, progress: { entries: 0 } }
  expect(await staging.missing(platform.clickhouse, scanId, announced)).toBeUndefined()
  expect(told.length).toBeGreaterThanOrEqual(batches.length)
  await ingest.stop()
})

test('a batch whose news fails comes again and doubles nothing', async () => {
  const scanId = await openScan('again')
  let failures = 1
  const inserted = async () => {
    if (failures-- > 0) throw new Error('The store is down')
  }
  const ingest = await startIngest(platform, { inserted })
  await publish(scanId, { data: packed(row(1, 1)) })
  await settled()
  expect(failures).toBeLessThan(0)
  expect(await countRows(scanId)).toBe(1)
  await ingest.stop()
})

test('a batch that came before its table waits for it', async () => {
  const scanId = await openScan('later')
  await staging.drop(platform.clickhouse, scanId)
  const arrived = Promise.withResolvers<void>()
  const ingest = await startIngest(platform, { inserted: async () => arrived.resolve() })
  await publish(scanId, { data: packed(row(1, 1)) })
  await vi.waitFor(async () => expect(await waiting()).toBe(1))
  await staging.create(platform.clickhouse, scanId)
  await arrived.promise
  expect(await countRows(scanId)).toBe(1)
  await ingest.stop()
})

test('what an agent sends of scans that are closed keeps no other agent from the stream', async () => {
  const closed = await openScan('flood')
  await platform.db.updateTable('scans').set({ state: 'cancelled' }).where('id', '=', closed).execute()
  const scanId = await openScan('beside')
  await platform.db.updateTable('scans').set({ agentId: 7 }).where('id', '=', scanId).execute()
  const room = 8 * 1024 ** 2
  await ensureStreams(platform.nats, { scanBytes: room })
  const ingest = await startIngest(platform, { inserted: async () => {} })
  const junk = new Uint8Array(900_000)
  // An agent that is told that there is no room tries again.
  const send = async (id: number, message: Message) => {
    await vi.waitFor(() => publish(id, message), { timeout: 20_000, interval: 20 })
  }
  for (let batch = 1; batch * junk.length < 5 * room; batch++)
    await send(batch % 2 ? closed : 999_999, { batch, data: junk })
  await send(scanId, { agentId: 7, data: packed(row(1, 1)) })
  await settled()
  expect(await countRows(scanId)).toBe(1)
  await ingest.stop()
  await ensureStreams(platform.nats)
})

test('hostile batches change nothing and are counted', async () => {
  const scanId = await openScan('hostile')
  const closed = await openScan('closed')
  await platform.db.updateTable('scans').set({ state: 'cancelled' }).where('id', '=', closed).execute()
  await platform.db.deleteFrom('refusedMessages').execute()
  await publish(scanId, { data: packed(row(1, 1, '; DROP TABLE entries --')) })
  const drop = `DROP TABLE ${scanTableName('staging', scanId)}\n`
  const rest = { batch: 2 }
  const hostile: [string, Message, number?][] = [
    ['a batch without the id of its scan', { id: 'x', ...rest, data: packed(row(1, 2)) }],
    ['a batch without the id of its scan', { id: batchMessageId(closed, 1, 2), ...rest, data: packed(row(1, 2)) }],
    ['a batch of no scan of this agent', { agentId: 7, ...rest, data: packed(row(1, 2)) }],
    ['a batch of no scan of this agent', { data: packed(row(1, 1)) }, 999_999],
    ['a batch of a closed scan', { batch: 3, data: packed(row(1, 3)) }, closed],
    ['a batch of another attempt', { attempt: 2, batch: 1, data: packed(row(2, 1)) }],
    ['a batch that does not unpack', { batch: 3, data: Buffer.from('not packed') }],
    ['a batch that does not unpack', { batch: 4, data: packed(Buffer.alloc(batchLimits.unpacked + 1)) }],
    ['a batch that is not UTF-8', { batch: 5, data: packed(Buffer.from(row(1, 5, '\xff'), 'latin1')) }],
    ['a batch with rows that are not its own', { batch: 6, data: packed(`${row(1, 6)}\n${drop}`) }],
    ['a batch with rows that are not its own', { batch: 7, data: packed(row(1, 7) + row(1, 8)) }],
    ['a batch with rows that are not its own', { batch: 8, data: packed(row(1, 8) + row(2, 8)) }],
    ['a batch with rows that are not its own', { batch: 9, data: packed('') }],
    ['a batch with rows that are not its own', { batch: 10, data: packed(row(1, 10).replace('\t0\t', '\t4\t')) }],
    ['a batch with rows that cannot be', { batch: 11, data: packed(`1\t11\t0\t${drop}`) }],
    ['a batch with rows that cannot be', { batch: 12, data: packed(row(1, 12).replace('{}', '{')) }],
    ['a batch with rows that cannot be', { batch: 13, data: packed(row(1, 13, 'a/b')) }],
    ['a batch with rows that cannot be', { batch: 14, data: packed(row(1, 14, 'a', 'no slash')) }],
    ['a batch with a NUL', { batch: 16, data: packed(`${row(1, 16).slice(0, -1)}\0${drop}`) }],
    ['a batch with rows that cannot be', { batch: 15, data: packed(`${row(1, 15).slice(0, -1)}\\\n${row(1, 15)}`) }],
  ]
  for (const [, message, scan = scanId] of hostile) await publish(scan, message)
  const ingest = await startIngest(platform, { inserted: async () => {} })
  await settled()
  expect(await countRows(scanId)).toBe(1)
  expect(await countRows(closed)).toBe(0)
  const expected = new Map<string, number>()
  for (const [reason, { agentId = 1 }] of hostile)
    expected.set(`${agentId} ${reason}`, (expected.get(`${agentId} ${reason}`) ?? 0) + 1)
  const counted = (await refused()).map((each) => [`${each.agentId} ${each.reason}`, each.messages] as const)
  expect(new Map(counted)).toEqual(expected)
  await ingest.stop()
})

test('the columns of a row are those of the staging table', async () => {
  const scanId = await openScan('columns')
  const columns = await platform.clickhouse.rows<{ name: string; type: string }>(sql`
    SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = ${scanTableName('staging', scanId)}
    ORDER BY position`)
  expect(columns.map(({ name, type }) => [name, type])).toEqual(entryColumns.map(([name, type]) => [name, type]))
})
