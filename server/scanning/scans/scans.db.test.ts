import { randomBytes } from 'node:crypto'
import { sql as postgres } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import { streams, subjects } from '#events/subjects.ts'
import { compareJobs, findJob } from '#server/workers/jobs/index.ts'
import { today } from '#server/platform/days.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { selectReadableEvents } from '#server/messages/event-log/index.ts'
import { queueScans } from './index.ts'
import { queueing } from './testing/queueing.ts'
import { startScanning } from './testing/startScanning.ts'
import { listUnreadable } from './routes.ts'
import { entry, progress, rowsOf, simulatedAgent } from './testing/simulatedAgent.ts'

const platform = await testPlatform()
const { db, nats } = platform
const leases = { silentSince: Date.now(), lastWorkedOn: () => leases.silentSince }
await taskConsumers(nats, 1)
const { takeTask, askForOrder, send, takenIn, say, complete } = simulatedAgent(nats)
const scans = await startScanning(platform, leases)
afterAll(() => scans.stop())
// A sweep may have queued the task of an earlier test again, before it was cancelled.
beforeEach(() => nats.jsm.streams.purge(streams.tasks).then(() => {}))

const { queue, ended } = queueing(platform)

test('a scan goes from its order to its snapshot and its job succeeds', async () => {
  const { jobId } = await queue()
  const order = await takeTask()
  expect(order).toMatchObject({
    attempt: 1,
    source: { kind: 'fileStorage', path: '/somewhere' },
    pending: [''],
    morePending: 0,
  })
  await send(order, rowsOf())
  await complete(order, 1)
  expect(await ended(order.scanId)).toMatchObject({ state: 'done', files: 1, bytes: 5 })
  expect(await findJob(db, jobId)).toMatchObject({ status: 'SUCCESS', tasks: [{ result: { files: 1, bytes: 5 } }] })
  const events = await selectReadableEvents(db).where('stream', '=', `job-${jobId}`).orderBy('position').execute()
  const named = { type: 'SCAN_VOLUMES', storage: 'volume 1' }
  expect(events.map(({ task }) => task)).toEqual([null, ...events.slice(1).map(() => named)])
})

test('a scan belongs to the day it started, however long it waited, and however often it continues', async () => {
  const { jobId } = await queue()
  const change = (indexingDate: string) => db.updateTable('scans').set({ indexingDate }).where('jobId', '=', jobId)
  await change('2026-01-01').execute()
  const first = await takeTask()
  const dayOfScan = () => db.selectFrom('scans').select('indexingDate').where('id', '=', first.scanId).execute()
  expect(await dayOfScan()).toEqual([{ indexingDate: today() }])
  await change('2026-01-02').execute()
  const again = await askForOrder(first.taskId)
  if (again.type !== 'scan') throw new Error(again.type)
  expect(await dayOfScan()).toEqual([{ indexingDate: '2026-01-02' }])
  await send(again.order, rowsOf())
  await complete(again.order, 1)
  await ended(first.scanId)
})

test('news that arrive before the last batch are only noted', async () => {
  await queue()
  const order = await takeTask()
  await complete(order, 1)
  await send(order, rowsOf())
  expect((await ended(order.scanId)).state).toBe('done')
})

test('a scan whose last batches still wait in the stream is not given up', async () => {
  await queue()
  const order = await takeTask()
  const batches = 40
  const names = Array.from({ length: 3_000 }, () => randomBytes(32).toString('hex'))
  const rowsIn = (batch: number) =>
    blockOf((rows) => {
      for (const [i, name] of names.entries()) {
        const place = { parentPath: '/', name: `${batch} ${name}`, isDirectory: false }
        rows.add({ ...entry, ...place, inode: batch * 10_000 + i })
      }
      if (batch < batches) return
      rows.add(entry)
      rows.addListed(entry, batches * names.length)
    })
  for (let batch = 1; batch <= batches; batch++) await send(order, rowsIn(batch), batch)
  await complete(order, batches)
  expect(await ended(order.scanId)).toMatchObject({ state: 'done', reason: null, files: batches * names.length })
})

/** Changes a scan's row while a request waits for that row. */
async function meanwhile(
  scanId: number,
  ask: () => Promise<unknown>,
  change: { attempt: number } | { announced: string },
) {
  const { rows: before } = await waitingForLocks()
  const asked = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('scans').select('id').where('id', '=', scanId).forUpdate().execute()
    const answer = ask()
    await expect.poll(async () => (await waitingForLocks()).rows.length).toBeGreaterThan(before.length)
    await trx.updateTable('scans').set(change).where('id', '=', scanId).execute()
    return { answer }
  })
  return asked.answer
}
const waitingForLocks = () => postgres`SELECT pid FROM pg_locks WHERE NOT granted`.execute(db)
const rowOf = (scanId: number) =>
  db.selectFrom('scans').select(['attempt', 'announced']).where('id', '=', scanId).executeTakeFirstOrThrow()

test('an attempt does not begin while the one before is announced to be complete', async () => {
  await queue()
  const order = await takeTask()
  const { scanId, taskId } = order
  const announced = JSON.stringify({ type: 'completed', attempt: 1, batches: 9, progress, sequence: 0 })
  expect(await meanwhile(scanId, () => askForOrder(taskId), { announced })).toMatchObject({ type: 'later' })
  expect(await rowOf(scanId)).toMatchObject({ attempt: 1 })
  expect(await askForOrder(taskId)).toMatchObject({ type: 'over', reason: 'The scan is complete' })
  await say(order, { type: 'cancelled' })
  await ended(scanId)
})

test("the end of an attempt that another one took the place of meanwhile is not that one's", async () => {
  await queue()
  const order = await takeTask()
  await meanwhile(order.scanId, () => complete(order, 0), { attempt: 2 })
  await say({ ...order, attempt: 2 }, { type: 'unreadable', path: '/later', error: 'none' })
  await expect
    .poll(() => db.selectFrom('scanUnreadable').select('path').where('scanId', '=', order.scanId).execute())
    .toEqual([{ path: '/later' }])
  expect(await rowOf(order.scanId)).toEqual({ attempt: 2, announced: null })
  await say({ ...order, attempt: 2 }, { type: 'cancelled' })
  await ended(order.scanId)
})

test('a scan that lost a batch continues in another attempt', async () => {
  await queue()
  const first = await takeTask()
  await send(first, rowsOf())
  await complete(first, 2)
  const again = await takeTask()
  expect(again).toMatchObject({ scanId: first.scanId, attempt: 2 })
  await complete(again, 0)
  expect(await ended(first.scanId)).toMatchObject({ state: 'done', files: 1, bytes: 5 })
})

test('a scan that loses batches again and again fails and names them', async () => {
  const { jobId } = await queue()
  let scanId = 0
  for (let attempt = 1; attempt <= 3; attempt++) {
    const order = await takeTask()
    expect(order.attempt).toBe(attempt)
    if (attempt === 1) await send(order, rowsOf())
    await complete(order, 2)
    scanId = order.scanId
  }
  expect(await ended(scanId)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/of 2 batches/) })
  expect(await statusOf(jobId)).toBe('FAILURE')
})

test('a restarted task is a new attempt, and messages of the old one are no longer accepted', async () => {
  await queue()
  const first = await takeTask()
  const again = await askForOrder(first.taskId)
  if (again.type !== 'scan') throw new Error(again.type)
  expect(again.order.attempt).toBe(2)
  await say(first, { type: 'failed', reason: 'said by the first attempt' })
  await send(again.order, rowsOf())
  await complete(again.order, 1)
  expect(await ended(first.scanId)).toMatchObject({ state: 'done', attempt: 2 })
})

test('a scan in which its agent dies again and again is given up', async () => {
  const { jobId } = await queue()
  const { taskId, scanId } = await takeTask()
  for (let attempt = 2; attempt <= 10; attempt++) {
    expect(await askForOrder(taskId)).toMatchObject({ type: 'scan', order: { attempt } })
  }
  expect(await askForOrder(taskId)).toMatchObject({ type: 'over' })
  expect(await ended(scanId)).toMatchObject({ state: 'failed', reason: expect.stringContaining('10 times') })
  expect(await statusOf(jobId)).toBe('SCANNER_ERROR')
})

test('an agent gets no order for the task of another agent, or for one that is over', async () => {
  await queue()
  const order = await takeTask()
  expect(await askForOrder(order.taskId, 2)).toMatchObject({ type: 'over' })
  await say(order, { type: 'failed', reason: 'the disk is gone' })
  expect(await ended(order.scanId)).toMatchObject({ state: 'failed', reason: 'the disk is gone' })
  expect(await askForOrder(order.taskId)).toMatchObject({ type: 'over' })
})

test('messages of another agent about a scan, and invalid ones, change nothing and are counted', async () => {
  await queue()
  const order = await takeTask()
  await say(order, { type: 'failed', reason: 'said by a stranger' } as never, 2)
  await nats.js.publish(subjects.lifecycle(1, order.scanId), 'no event')
  const { attempt } = order
  const failure = {
    type: 'failed',
    at: new Date().toISOString(),
    run: 'another run',
    attempt,
    reason: 'said by a clone',
  }
  await nats.js.publish(subjects.lifecycle(1, order.scanId), JSON.stringify(failure))
  await send(order, rowsOf())
  await complete(order, 1)
  expect((await ended(order.scanId)).state).toBe('done')
  const refused = await db.selectFrom('refusedMessages').select(['reason', 'agentId']).execute()
  expect(refused).toContainEqual({ reason: 'no such scan of this agent', agentId: 2 })
  expect(refused).toContainEqual({ reason: 'not a scan event', agentId: 1 })
  expect(refused).toContainEqual({ reason: 'an event of another run of the agent', agentId: 1 })
})

test('unreadable paths of a scan are listed page by page', async () => {
  await queue()
  const order = await takeTask()
  for (const path of ['/c', '/a', '/b', '/a']) await say(order, { type: 'unreadable', path, error: 'EACCES' })
  await say(order, { type: 'failed', reason: 'enough' })
  await ended(order.scanId)
  const page = await listUnreadable(db, 'everything', order.scanId, { page: 1, size: 2 })
  expect(page).toMatchObject({ total: 3, elements: [{ path: '/a', error: 'EACCES' }, { path: '/b' }] })
  await expect(listUnreadable(db, 'everything', 999_999, { page: 1, size: 2 })).rejects.toMatchObject({ status: 404 })
})

test('a volume is scanned by one scan at a time', async () => {
  const { volumeId } = await queue()
  const second = queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  await expect(second).rejects.toMatchObject({ status: 409 })
  const order = await takeTask()
  await say(order, { type: 'cancelled' })
  expect((await ended(order.scanId)).state).toBe('cancelled')
})

/** Makes the agent of a scan silent since its attempt started, a while ago. */
const silence = ({ taskId }: { taskId: number }) =>
  db
    .updateTable('tasks')
    .set({ updatedAt: new Date(Date.now() - 61_000) })
    .where('id', '=', taskId)
    .execute()
const statusOf = async (jobId: number) => (await findJob(db, jobId))?.status

test('a scan whose agent fell silent waits for it with what arrived, and is given up at the third time', async () => {
  leases.silentSince = Date.now() - 61_000
  const { jobId } = await queue()
  const first = await takeTask()
  await send(first, rowsOf())
  await takenIn()
  for (let attempt = 2; attempt <= 3; attempt++) {
    await silence(first)
    await expect.poll(() => statusOf(jobId)).toBe('AVAILABLE')
    expect(await takeTask()).toMatchObject({ scanId: first.scanId, attempt, pending: [] })
    expect(await statusOf(jobId)).toBe('RUNNING')
  }
  await silence(first)
  expect(await ended(first.scanId)).toMatchObject({ state: 'failed', reason: expect.stringContaining('60 seconds, 3') })
  expect(await findJob(db, jobId)).toMatchObject({ status: 'SCANNER_ERROR', tasks: [{ attempt: 3, lapses: 2 }] })
  leases.silentSince = Date.now()
})

test('an agent that was considered lost and returns is ordered to stop that attempt', async () => {
  leases.silentSince = Date.now() - 61_000
  const { jobId } = await queue()
  const lost = await takeTask()
  await silence(lost)
  await expect.poll(() => statusOf(jobId)).toBe('AVAILABLE')
  leases.silentSince = Date.now()
  const told = nats.connection.subscribe(subjects.cancel(1), { max: 1 })
  await say(lost, { type: 'progressed', progress })
  for await (const message of told) expect(message.json()).toEqual({ taskId: lost.taskId, attempt: 1 })
  await complete(lost, 0)
  const again = await takeTask()
  expect(again).toMatchObject({ scanId: lost.scanId, attempt: 2 })
  await send(again, rowsOf())
  await complete(again, 1)
  expect((await ended(again.scanId)).state).toBe('done')
})

test('a replay of all that happened finds no difference', async () => {
  expect((await compareJobs(db)).differences).toEqual([])
})
