import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { listUnreadable } from './routes.ts'
import { queueing } from './testing/queueing.ts'
import { progress, rowsOf, simulatedAgent } from './testing/simulatedAgent.ts'
import { startScanning } from './testing/startScanning.ts'

const platform = await testPlatform()
const { db, nats } = platform
await taskConsumers(nats, 1)
const { takeTask, send, say, complete } = simulatedAgent(nats)
const scans = await startScanning(platform)
afterAll(() => scans.stop())
const { queue, ended } = queueing(platform)

test('odd texts and sizes of an agent are made storable or refused once, and delay no one', async () => {
  await queue()
  const order = await takeTask()
  const path = `/${randomBytes(3_000).toString('hex')}`
  await say(order, { type: 'unreadable', path, error: 'not\0 readable \ud83d' })
  const impossible = { total: 1e300, used: 1, free: 1 }
  for (let n = 0; n < 20; n++) await say(order, { type: 'completed', batches: 0, progress, capacity: impossible })
  await say(order, { type: 'completed', batches: Number.MAX_SAFE_INTEGER, progress })
  await send(order, rowsOf())
  const capacity = { total: 2 ** 63 - 1_024, used: 1, free: 2 ** 62 }
  await say(order, { type: 'completed', batches: 1, progress, capacity, note: 'listed\0 all \ud83d' })
  expect(await ended(order.scanId)).toMatchObject({ state: 'done', capacityUsed: 1, capacityFree: 2 ** 62 })
  const unreadable = await listUnreadable(db, 'everything', order.scanId, { page: 1, size: 2 })
  expect(unreadable.elements).toEqual([{ path, error: 'not readable \ufffd' }])
})

test('a scan that cannot be checked fails with the reason, and the others continue', async () => {
  await queue()
  const broken = await takeTask()
  const announced = JSON.stringify({ attempt: 1, sequence: 0, batches: 'many', progress })
  await db.updateTable('scans').set({ announced }).where('id', '=', broken.scanId).execute()
  await queue()
  const other = await takeTask()
  await send(other, rowsOf())
  await complete(other, 1)
  expect((await ended(other.scanId)).state).toBe('done')
  expect(await ended(broken.scanId)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^The scan could not be checked: /),
  })
})
