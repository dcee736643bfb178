import { expect, onTestFinished, test } from 'vitest'
import { scanRecordOf } from '#events/testing.ts'
import { checkStores } from '#server/platform/http/health.ts'
import { testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { testSession } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { publishLive, startLive } from './index.ts'
import { listen, look } from './testing.ts'

test('after an outage of NATS all browsers restart, with all events since', async () => {
  const platform = await testPlatform()
  const { db, nats } = platform
  const messages = await testNatsServer()
  const { http, host, close } = await listen()
  const live = await startLive(platform, http)
  const browser = look(host, { session: await testSession(db, []) })
  onTestFinished(async () => {
    browser.socket.terminate()
    await live.stop()
    await close()
  })
  await browser.opened()
  for (const topic of ['dashboard', 'changed']) browser.say({ type: 'subscribe', topic })
  await browser.until((message) => message.type === 'state' && message.topic === 'changed')

  await messages.kill()
  expect((await checkStores(platform)).nats.status).toBe('DOWN')
  const volumeId = await createFileStorage(db, { name: 'Films', path: '/films' })
  const row = { volumeId, state: 'done', indexingDate: '2026-01-01', jobId: 1, taskId: 1, agentId: 1 } as const
  const scan = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
  const before = browser.heard.length
  await messages.start()

  const state = await browser.until((message) => message.type === 'state' && message.topic === 'dashboard', before)
  expect(state).toMatchObject({ state: { scans: [{ scanId: scan.id, state: 'done' }] } })
  await browser.until((message) => message.type === 'state' && message.topic === 'changed', before)
  publishLive(nats)({ type: 'scanChanged', scan: scanRecordOf(scan.id + 1, 'running') })
  const next = await browser.until((message) => message.type === 'events', before)
  expect(next).toMatchObject({ events: [{ type: 'scanChanged' }] })
  expect((await checkStores(platform)).nats).toEqual({ status: 'UP' })
})
