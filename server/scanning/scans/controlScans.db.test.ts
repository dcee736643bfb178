import { afterAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { compareJobs, findJob, jobRoutes } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { subjects } from '#events/subjects.ts'
import { taskRoutes } from '#server/workers/tasks/index.ts'
import { queueScans } from './index.ts'
import { handlersFor, startScanning } from './testing/startScanning.ts'
import { entry, progress, rowsOf, simulatedAgent } from './testing/simulatedAgent.ts'

const platform = await testPlatform()
const { db, nats } = platform
await taskConsumers(nats, 1)
const { takeTask, askForOrder, send, takenIn, say, complete } = simulatedAgent(nats)
const scans = await startScanning(platform)
afterAll(() => scans.stop())
const routes = [...jobRoutes(platform), ...taskRoutes(platform, handlersFor(platform))]
const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))

let made = 0
/** A job that scans this many new storages. */
async function queue(storages = 1): Promise<number> {
  const volumeIds = []
  for (let n = 0; n < storages; n++)
    volumeIds.push(await createFileStorage(db, { name: `storage ${++made}`, path: '/somewhere' }))
  return queueScans(db, { ids: volumeIds, cloneIndex: true, by: system })
}
const put = async (jobId: number, status: string) => {
  const { status: code, body } = await ask('PUT', `/api/v1/jobs/${jobId}`, { status })
  return [code, body.status ?? body.message]
}
const statusOf = async (jobId: number) => (await findJob(db, jobId))?.status
const scanOf = (jobId: number) =>
  db.selectFrom('scans').selectAll().where('jobId', '=', jobId).executeTakeFirstOrThrow()
/** The order of the job's scan, once the agent requests it. Orders of ended or paused scans are skipped. */
async function orderOf(jobId: number): Promise<ScanOrder & { taskId: number }> {
  for (;;) {
    const order = await takeTask().catch(passOver)
    const scan =
      order && (await db.selectFrom('scans').select('jobId').where('id', '=', order.scanId).executeTakeFirst())
    if (order && scan?.jobId === jobId) return order
  }
}
function passOver(error: Error): undefined {
  if (!error.message.startsWith('The scan is')) throw error
}

/** The next request to the agent to stop a task. */
const nextTold = () => {
  const heard = nats.connection.subscribe(subjects.cancel(1), { max: 1 })
  return (async () => {
    for await (const message of heard) return message.json()
    return undefined
  })()
}
const tell = async (order: ScanOrder) => {
  await send(order, rowsOf())
  await complete(order, 1)
}

test('a job that waits in the queue of its agent is available, and is over when it is cancelled', async () => {
  const jobId = await queue()
  await expect.poll(() => statusOf(jobId)).toBe('AVAILABLE')
  expect(await put(jobId, 'CANCELLED')).toEqual([200, 'CANCELLED'])
  expect(await scanOf(jobId)).toMatchObject({
    state: 'cancelled',
    reason: expect.stringMatching(/^Cancelled by user-/),
  })
  await expect(takeTask()).rejects.toThrow('The scan is cancelled')
  expect(await put(jobId, 'CANCELLED')).toEqual([409, `Job ${jobId} has already ended: it is CANCELLED`])
})

test('the agent of a canceled job is notified, and its later messages are refused', async () => {
  const jobId = await queue()
  const order = await orderOf(jobId)
  const told = nextTold()
  expect(await put(jobId, 'CANCELLED')).toEqual([200, 'CANCELLED'])
  expect(await told).toEqual({ taskId: order.taskId })
  await tell(order)
  expect(await askForOrder(order.taskId)).toMatchObject({ type: 'over', reason: 'The scan is cancelled' })
  expect((await scanOf(jobId)).state).toBe('cancelled')
})

test('a paused scan stops, and continues with the remaining folders when it is resumed', async () => {
  const jobId = await queue()
  const order = await orderOf(jobId)
  const folder = { ...entry, parentPath: '/', name: 'folder', inode: 4 }
  const root = blockOf((rows) => {
    rows.add(entry)
    rows.add(folder)
    rows.addListed(entry, 1)
  })
  await send(order, root)
  await takenIn()
  const told = nextTold()
  expect(await put(jobId, 'WAITING')).toEqual([200, 'WAITING'])
  expect(await told).toEqual({ taskId: order.taskId, attempt: 1 })
  await say(order, { type: 'cancelled' })
  expect(await askForOrder(order.taskId)).toMatchObject({ type: 'over', reason: 'The scan is paused' })
  expect(await scanOf(jobId)).toMatchObject({ state: 'waiting', finishedAt: null })

  expect(await put(jobId, 'AVAILABLE')).toEqual([200, 'AVAILABLE'])
  const again = await orderOf(jobId)
  expect(again).toMatchObject({ scanId: order.scanId, attempt: 2, pending: ['/folder'] })
  await send(
    again,
    blockOf((rows) => rows.addListed(folder, 0)),
  )
  await complete(again, 1)
  await expect.poll(async () => (await scanOf(jobId)).finishedAt).not.toBeNull()
  expect(await scanOf(jobId)).toMatchObject({ state: 'done', reason: null, files: 0, attempt: 2 })
  expect(await statusOf(jobId)).toBe('SUCCESS')
})

test('an agent that misses the pause of its scan is notified again when it continues', async () => {
  const jobId = await queue()
  const order = await orderOf(jobId)
  await put(jobId, 'WAITING')
  const told = nextTold()
  await say(order, { type: 'progressed', progress })
  expect(await told).toEqual({ taskId: order.taskId, attempt: 1 })
  await tell(order)
  expect(await statusOf(jobId)).toBe('WAITING')
  expect(await put(jobId, 'CANCELLED')).toEqual([200, 'CANCELLED'])
})

test('pausing and resuming again and again does not use up the tries of a scan', async () => {
  const jobId = await queue()
  for (let attempt = 1; attempt <= 12; attempt++) {
    expect((await orderOf(jobId)).attempt).toBe(attempt)
    await put(jobId, 'WAITING')
    await put(jobId, 'AVAILABLE')
  }
  expect(await put(jobId, 'CANCELLED')).toEqual([200, 'CANCELLED'])
})

test('a scan whose walk is over cannot be paused, and waiting ones next to it can', async () => {
  const jobId = await queue()
  const order = await orderOf(jobId)
  // A missing batch keeps the scan from its snapshot while another scan waits.
  await db
    .updateTable('scans')
    .set({ announced: JSON.stringify({ batches: 1, sequence: Number.MAX_SAFE_INTEGER }) })
    .where('id', '=', order.scanId)
    .execute()
  const [code, message] = await put(jobId, 'WAITING')
  expect([code, message]).toEqual([409, expect.stringContaining('can no longer be paused')])
  expect(await put(jobId, 'CANCELLED')).toEqual([200, 'CANCELLED'])
})

test('all jobs that wait, or all that run, are cancelled at once, and no others', async () => {
  const running = await queue()
  await orderOf(running)
  const waiting = [await queue(), await queue(2)]
  const paused = await queue()
  await put(paused, 'WAITING')
  expect((await ask('PUT', '/api/v1/jobs/cancel?status=WAITING')).body).toEqual({ cancelled: 3 })
  for (const jobId of [...waiting, paused]) expect(await statusOf(jobId)).toBe('CANCELLED')
  expect(await statusOf(running)).toBe('RUNNING')
  expect((await ask('PUT', '/api/v1/jobs/cancel?status=RUNNING')).body).toEqual({ cancelled: 1 })
  expect(await statusOf(running)).toBe('CANCELLED')
  expect((await ask('PUT', '/api/v1/jobs/cancel?status=SUCCESS')).status).toBe(400)
})

test('as many jobs wait as are allowed, and a storage of one that is refused stays free', async () => {
  const set = (value: string) => db.insertInto('configurations').values({ name: 'jobQueuedLength', value }).execute()
  await set('2')
  const jobs = [await queue(), await queue()]
  await expect(queue()).rejects.toMatchObject({ status: 409, message: 'There are already 2 jobs waiting' })
  expect(await db.selectFrom('scans').selectAll().where('state', '=', 'waiting').execute()).toHaveLength(2)
  await put(jobs[0]!, 'CANCELLED')
  jobs.push(await queue())
  await db.updateTable('configurations').set({ value: '0' }).execute()
  await expect(queue()).rejects.toMatchObject({ status: 409 })
  await ask('PUT', '/api/v1/jobs/cancel?status=WAITING')
  const single = await queue()
  await expect(queue()).rejects.toMatchObject({ status: 409, message: 'There is already 1 job waiting' })
  await put(single, 'CANCELLED')
  await db.deleteFrom('configurations').execute()
})

test('the threads of an agent are shared by what it scans', async () => {
  const value = '8'
  await db.insertInto('configurations').values({ name: 'serverNumberOfThreads', value }).execute()
  const alone = await queue()
  const order = await orderOf(alone)
  expect(order.threads).toBe(8)
  await put(alone, 'CANCELLED')
  const two = await queue(2)
  expect((await orderOf(two)).threads).toBe(4)
  await put(two, 'CANCELLED')
})

test('a replay of all that happened finds no difference', async () => {
  expect((await compareJobs(db)).differences).toEqual([])
})
