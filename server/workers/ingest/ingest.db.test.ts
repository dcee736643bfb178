import { entryLimits } from '#events/scans/entryLimits.ts'
import { zstdCompressSync } from 'node:zlib'
import { headers } from 'nats'
import { beforeAll, expect, test, vi } from 'vitest'
import { newBlockWriter } from '#events/node/blocks/blockWriter.ts'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { damage } from '#events/node/blocks/testing/damage.ts'
import { addSome, owners } from '#events/node/blocks/testing/randomRows.ts'
import { entryColumns, type EntryRow, rowKinds } from '#events/scans/entryRow.ts'
import { batchHeaders, batchLimits, batchMessageId } from '#events/scans/batches.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { ensureStreams } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newDisk } from '#server/content/snapshots/oracle/disk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { batchesOf, newScan, newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
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
  await platform.db.updateTable('scans').set({ state: 'running', agentRun: 'a run' }).where('id', '=', scanId).execute()
  await staging.create(platform.clickhouse, scanId)
  await staging.startAttempt(platform.clickhouse, scanId, 1)
  return scanId
}

type Message = { agentId?: number; id?: string; run?: string; attempt?: number; batch?: number; data: Uint8Array }
async function publish(
  scanId: number,
  { agentId = 1, run = 'a run', attempt = 1, batch = 1, data, id }: Message,
): Promise<void> {
  const head = headers()
  if (run !== '') head.set(batchHeaders.run, run)
  head.set(batchHeaders.attempt, String(attempt))
  head.set(batchHeaders.batch, String(batch))
  const msgID = id ?? batchMessageId(scanId, attempt, batch)
  await platform.nats.js.publish(subjects.entries(agentId, scanId), data, { headers: head, ...(msgID && { msgID }) })
}

const file: EntryRow = {
  parentPath: '/',
  name: 'a',
  isDirectory: false,
  size: 1,
  allocatedSize: 1,
  linkCount: 1,
  device: 1,
  inode: 1,
  owner: '',
  group: '',
  mode: 0,
  linkTarget: '',
  created: 0,
  modified: 0,
  accessed: 0,
}
const packed = (block: Buffer) => zstdCompressSync(block)
/** A batch of one file. */
const row = (changes: Partial<EntryRow> = {}) => blockOf((rows) => rows.add({ ...file, ...changes }))

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
const settled = (timeout = 60_000) => vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout, interval: 50 })

test('batches are stored once each, in any order and with any number of repeats', async () => {
  const scanId = await openScan('once')
  const random = newRandom(3)
  const seen = walkDisk(newDisk(random, 300))
  const batches = batchesOf(random, 1, seen)
  const told: number[] = []
  const ingest = await startIngest(platform, { inserted: async (id) => void told.push(id) })
  for (const { id, block } of [...batches, ...batches.slice(0, 3)])
    await publish(scanId, { ...id, data: packed(block) })
  await settled()
  expect(await countRows(scanId)).toBe(seen.length)
  const announced = { attempt: 1, batches: batches.length, progress: { entries: 0 } }
  expect(await staging.missing(platform.clickhouse, scanId, announced)).toBeUndefined()
  expect(told.length).toBeGreaterThanOrEqual(batches.length)
  await ingest.stop()
})

test('a batch whose event fails is retried and doubles nothing', async () => {
  const scanId = await openScan('again')
  let failures = 1
  const inserted = async () => {
    if (failures-- > 0) throw new Error('The store is down')
  }
  const ingest = await startIngest(platform, { inserted })
  await publish(scanId, { data: packed(row()) })
  await settled()
  expect(failures).toBeLessThan(0)
  expect(await countRows(scanId)).toBe(1)
  await ingest.stop()
})

test('a batch that arrives before its table waits for it', async () => {
  const scanId = await openScan('later')
  await staging.drop(platform.clickhouse, scanId)
  const arrived = Promise.withResolvers<void>()
  const ingest = await startIngest(platform, { inserted: async () => arrived.resolve() })
  await publish(scanId, { data: packed(row()) })
  await vi.waitFor(async () => expect(await waiting()).toBe(1), 60_000)
  await staging.create(platform.clickhouse, scanId)
  await arrived.promise
  expect(await countRows(scanId)).toBe(1)
  await ingest.stop()
})

test('messages of an agent about closed scans keep no other agent from the stream', async () => {
  const closed = await openScan('flood')
  await platform.db.updateTable('scans').set({ state: 'cancelled' }).where('id', '=', closed).execute()
  const scanId = await openScan('beside')
  await platform.db.updateTable('scans').set({ agentId: 7 }).where('id', '=', scanId).execute()
  const room = 8 * 1024 ** 2
  await ensureStreams(platform.nats, { scanBytes: room })
  const ingest = await startIngest(platform, { inserted: async () => {} })
  const junk = new Uint8Array(900_000)
  // An agent tries again after an answer that there is no room.
  const send = async (id: number, message: Message) => {
    await vi.waitFor(() => publish(id, message), { timeout: 60_000, interval: 20 })
  }
  for (let batch = 1; batch * junk.length < 5 * room; batch++)
    await send(batch % 2 ? closed : 999_999, { batch, data: junk })
  await send(scanId, { agentId: 7, data: packed(row()) })
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
  await publish(scanId, { data: packed(row({ name: '; DROP TABLE entries --' })) })
  const rest = { batch: 2, data: packed(row()) }
  const ofKind = (kind: number) => {
    const block = row()
    block[block.indexOf('UInt8') + 5] = kind
    return block
  }
  const checkpoint = blockOf((rows) => rows.addCheckpoint(['a', 'b']))
  checkpoint[checkpoint.indexOf('["a"') + 1] = 0x21
  const cannotBe = [
    row({ name: 'a/b' }),
    row({ parentPath: 'no slash' }),
    row({ parentPath: '' }),
    row({ size: -2 }),
    ofKind(rowKinds.checkpoint + 1),
    ofKind(rowKinds.listed),
    checkpoint,
    blockOf((rows) => [file, { ...file, parentPath: '/no' }].forEach(rows.add)),
  ]
  const notUtf8 = row({ name: 'xyz' })
  notUtf8[notUtf8.indexOf('xyz') + 1] = 0xff
  const hostile: [string, Message, number?][] = [
    ['a batch without the id of its scan', { id: 'x', ...rest }],
    ['a batch without the id of its scan', { id: batchMessageId(closed, 1, 2), ...rest }],
    ['a batch of no scan of this agent', { agentId: 7, ...rest }],
    ['a batch of no scan of this agent', { data: packed(row()) }, 999_999],
    ['a batch of a closed scan', { batch: 3, data: packed(row()) }, closed],
    ['a batch of another attempt', { attempt: 2, batch: 1, data: packed(row()) }],
    ['a batch of another run of the agent', { run: 'a second run', batch: 50, data: packed(row()) }],
    ['a batch of another run of the agent', { run: '', batch: 51, data: packed(row()) }],
    ['a batch that does not unpack', { batch: 3, data: Buffer.from('not packed') }],
    ['a batch that does not unpack', { batch: 4, data: packed(Buffer.alloc(batchLimits.unpacked + 1)) }],
    ['a block with text that is not UTF-8', { batch: 5, data: packed(notUtf8) }],
    ['a block that ends too early', { batch: 6, data: packed(Buffer.alloc(0)) }],
    ['a block of other columns', { batch: 7, data: packed(Buffer.from('1\t7\t0\t/\ta\t0\t1\n')) }],
    ['a block with more behind its end', { batch: 8, data: packed(Buffer.concat([row(), row()])) }],
    ...cannotBe.map((block, i): [string, Message] => [
      'a batch with rows that cannot be',
      { batch: 9 + i, data: packed(block) },
    ]),
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

test('texts that are too long for any answer are refused once, for each column, and the longest possible are stored', async () => {
  const scanId = await openScan('long')
  await platform.db.deleteFrom('refusedMessages').execute()
  const long = 'x'.repeat(8_000_000)
  const blocks = [
    row({ name: long }),
    row({ name: 'x'.repeat(entryLimits.name + 1) }),
    row({ parentPath: `/${'d/'.repeat(70_000)}` }),
    row({ owner: long }),
    row({ group: long }),
    row({ linkTarget: long }),
    row({ etag: long }),
    row({ storageClass: long }),
    row({ metadata: { [long]: '' } }),
    row({ metadata: { key: long } }),
    row({ metadata: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`${i}`, ''])) }),
    blockOf((rows) => rows.addNotEntered({ parentPath: '/', name: 'a' }, long)),
    blockOf((rows) => rows.addGone({ parentPath: '/', name: 'a' }, 1, `/${long}`)),
    blockOf((rows) => rows.addListed({ parentPath: '/', name: long }, 0)),
    blockOf((rows) => rows.addUnreadable({ parentPath: '/', name: long })),
  ]
  for (const [i, block] of blocks.entries()) await publish(scanId, { batch: i + 1, data: packed(block) })
  const { name, path, word, linkTarget } = entryLimits
  const owner = 'o'.repeat(word)
  const possible = {
    name: 'n'.repeat(name),
    parentPath: `/${'d'.repeat(path - 2)}/`,
    linkTarget: 'l'.repeat(linkTarget),
  }
  await publish(scanId, { batch: 99, data: packed(row({ ...possible, owner, group: owner, etag: owner })) })
  const ingest = await startIngest(platform, { inserted: async () => {} })
  await settled()
  await ingest.stop()
  expect(await countRows(scanId)).toBe(1)
  expect(await refused()).toEqual([{ reason: 'a batch with rows that cannot be', agentId: 1, messages: blocks.length }])
})

test('damaged blocks are refused before the engine has them, and nothing of them stays', async () => {
  const scanId = await openScan('damaged')
  await platform.db.deleteFrom('refusedMessages').execute()
  const random = newRandom(7)
  const writer = newBlockWriter(owners)
  const tables = () =>
    platform.clickhouse.rows(sql`SELECT partition, rows, name FROM system.parts WHERE database = currentDatabase()
      AND table = ${scanTableName('staging', scanId)}`)
  const blocks: Buffer[] = []
  while (blocks.length < cases(100, 10_000)) {
    addSome(random, writer)
    const block = damage(random, Buffer.from(writer.encode()))
    writer.clear()
    if (typeof checkBlock(block) === 'string') blocks.push(block)
  }
  const asked: string[] = []
  const insertBlock: Platform['clickhouse']['insertBlock'] = async ({ token }) => void asked.push(token)
  const clickhouse = { ...platform.clickhouse, insertBlock }
  const ingest = await startIngest({ ...platform, clickhouse }, { inserted: async () => {} })
  for (const [i, block] of blocks.entries()) await publish(scanId, { batch: i + 1, data: packed(block) })
  await settled(cases(20_000, 200_000))
  await ingest.stop()
  expect(asked).toEqual([])
  expect(await tables()).toEqual([])
  const counted = await refused()
  expect(counted.reduce((sum, { messages }) => sum + messages, 0)).toBe(blocks.length)
  expect(counted.length).toBeGreaterThan(4)
})

test('the columns of a row match the staging table', async () => {
  const scanId = await openScan('columns')
  const columns = await platform.clickhouse.rows<{ name: string; type: string }>(sql`
    SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = ${scanTableName('staging', scanId)}
    ORDER BY position`)
  expect(columns.map(({ name, type }) => [name, type])).toEqual(entryColumns.map(([name, type]) => [name, type]))
})
