import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { BaselineQuestion } from '#events/scans/baselineQuestion.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { queueScans } from './index.ts'
import { keepBaselines } from './keepBaselines.ts'
import { startScanning } from './testing/startScanning.ts'
import { entry, progress, simulatedAgent } from './testing/simulatedAgent.ts'

const platform = await testPlatform()
const { db, nats } = platform
await taskConsumers(nats, 1)
const { takeTask, send, say } = simulatedAgent(nats)
const scans = await startScanning(platform)
afterAll(() => scans.stop())

const storagePrice = await testPriceBook(db)
const ask = asUser(createApp(platform, sourceRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/powerScales'
beforeAll(async () => {
  await ask('POST', `${path}/credentials`, { name: 'Cluster', username: 'scan', password: 'secret' }).expect(200)
})

let made = 0
async function newCluster(): Promise<number> {
  const draft = {
    host: 'cluster',
    dataintellName: `Cluster ${++made}`,
    dellPowerScaleCredentials: { id: 1 },
    storagePrice,
    fullScanSnapshotExpiresDays: 7,
    deltaScanSnapshotExpiresDays: 3,
  }
  const { id } = (await ask('POST', path, { ...draft, path: `/ifs/${made}`, serverId: 1 }).expect(200)).body
  return (await ask('GET', `${path}/${id}`)).body.volumeSettingId
}

type Order = ScanOrder & { taskId: number }
async function begin(volumeId: number, isDeltaScan: boolean): Promise<Order> {
  await queueScans(db, { ids: [volumeId], cloneIndex: true, isDeltaScan, by: system })
  return takeTask()
}

const file = { ...entry, isDirectory: false, parentPath: '/', size: 5 }
type Rows = Parameters<Parameters<typeof blockOf>[0]>[0]
const listing = (add: (rows: Rows) => void) =>
  blockOf((rows) => {
    add(rows)
    rows.addListed(entry, 0)
    rows.addCheckpoint([])
  })
const inFull = listing((rows) => {
  for (const row of [entry, { ...file, name: 'one' }, { ...file, name: 'two' }]) rows.add(row)
})
/** A changelist that removes a file and adds one. */
const changes = (comparedScan: number) =>
  listing((rows) => {
    rows.addDelta(comparedScan)
    rows.addGone({ parentPath: '/', name: 'one' }, comparedScan)
    rows.add({ ...file, name: 'three', size: 7 })
  })

const scanOf = ({ scanId }: ScanOrder) =>
  db.selectFrom('scans').selectAll().where('id', '=', scanId).executeTakeFirstOrThrow()
async function end(order: Order, more: { baseline?: string; note?: string } = {}): Promise<void> {
  await say(order, { type: 'completed', batches: 1, progress, ...more })
  await expect.poll(async () => (await scanOf(order)).state).toBe('done')
}
async function scanFirst(volumeId: number): Promise<Order> {
  const order = await begin(volumeId, true)
  await send(order, inFull)
  await end(order, { baseline: 'snapshot 1' })
  return order
}
const names = async (volumeId: number) =>
  [...(await readRows(platform, volumeId, '2999-01-01')).values()].map(({ name }) => name)

test('a delta scan is compared with the scan before, and carries over what its list of changes does not name', async () => {
  const volumeId = await newCluster()
  const first = await scanFirst(volumeId)
  expect([first.compareWith, first.source]).toMatchObject([undefined, { kind: 'powerScale', isDelta: true }])
  const second = await begin(volumeId, true)
  expect(second.compareWith).toEqual({ scan: first.scanId, baseline: 'snapshot 1', isCheck: false })
  await send(second, changes(first.scanId))
  await end(second, { baseline: 'snapshot 2' })
  expect(await names(volumeId)).toEqual(['', 'three', 'two'])
})

test('a full scan is compared with nothing, and says what its agent notes', async () => {
  const volumeId = await newCluster()
  await scanFirst(volumeId)
  const second = await begin(volumeId, false)
  expect([second.compareWith, second.source]).toMatchObject([undefined, { isDelta: false }])
  await send(second, inFull)
  await end(second, { note: 'The snapshot of the last scan is gone' })
  const { jobId } = await scanOf(second)
  expect(await findJob(db, jobId)).toMatchObject({
    status: 'SUCCESS',
    result: { note: 'The snapshot of the last scan is gone' },
  })
})

test('a delta that does not match the known state restarts as a full scan', async () => {
  const volumeId = await newCluster()
  const first = await scanFirst(volumeId)
  const order = await begin(volumeId, true)
  const orphan = { ...file, parentPath: '/nowhere/', name: 'x' }
  await send(
    order,
    listing((rows) => {
      rows.addDelta(first.scanId)
      rows.add(orphan)
    }),
  )
  await say(order, { type: 'completed', batches: 1, progress })
  const again = await takeTask()
  expect(again).toMatchObject({ scanId: order.scanId, attempt: 2, source: { isDelta: false }, pending: [''] })
  expect(again.compareWith).toBeUndefined()
  await send(again, inFull)
  await end(again)
  expect(await names(volumeId)).toEqual(['', 'one', 'two'])
})

test('an agent that was to list all cannot send a delta', async () => {
  const volumeId = await newCluster()
  const first = await scanFirst(volumeId)
  const order = await begin(volumeId, false)
  await send(order, changes(first.scanId))
  const refused = () => db.selectFrom('refusedMessages').select('reason').execute()
  await expect.poll(refused).toContainEqual({ reason: 'a batch with rows that cannot be' })
})

test('the agent has to keep the baseline of the last scan, unless it is old', async () => {
  const volumeId = await newCluster()
  const { scanId } = await scanFirst(volumeId)
  const asked: BaselineQuestion[] = []
  const agent = nats.connection.subscribe(subjects.baseline(1), {
    callback: (_, message) => {
      asked.push(BaselineQuestion.parse(message.json()))
      message.respond(JSON.stringify({ reason: null }))
    },
  })
  onTestFinished(() => agent.unsubscribe())
  await keepBaselines(platform)
  expect(asked).toContainEqual({ source: expect.objectContaining({ path: `/ifs/${made}` }), baseline: 'snapshot 1' })
  const longAgo = new Date(Date.now() - 61 * 24 * 60 * 60 * 1_000)
  await db.updateTable('scans').set({ finishedAt: longAgo }).where('id', '=', scanId).execute()
  asked.length = 0
  await keepBaselines(platform)
  expect(asked.map(({ source }) => 'path' in source && source.path)).not.toContain(`/ifs/${made}`)
})

test('a storage whose password is lost does not keep other baselines from being kept', async () => {
  await scanFirst(await newCluster())
  const lost = await newCluster()
  await scanFirst(lost)
  await scanFirst(await newCluster())
  await db.insertInto('powerScaleCredentials').values({ name: 'Lost', username: 'scan', password: 'x' }).execute()
  const other = db.selectFrom('powerScaleCredentials').select('id').where('name', '=', 'Lost')
  await db.updateTable('powerScales').set({ credentialId: other }).where('volumeId', '=', lost).execute()
  const paths: string[] = []
  const agent = nats.connection.subscribe(subjects.baseline(1), {
    callback: (_, message) => {
      const { source } = BaselineQuestion.parse(message.json())
      if ('path' in source) paths.push(source.path)
      message.respond(JSON.stringify({ reason: null }))
    },
  })
  onTestFinished(() => agent.unsubscribe())
  const warn = vi.spyOn(platform.log, 'warn')
  onTestFinished(() => warn.mockRestore())
  await keepBaselines(platform)
  expect(paths).toEqual(expect.arrayContaining([`/ifs/${made - 2}`, `/ifs/${made}`]))
  expect(paths).not.toContain(`/ifs/${made - 1}`)
  const logged = warn.mock.calls.filter(([fields]) => (fields as { volume?: number }).volume === lost)
  expect(logged).toEqual([[{ volume: lost, reason: expect.any(String) }, 'The baseline of a storage was not kept']])
})
