import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startAgent } from '#agent/testing/startAgent.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testFolder, testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { startPresence } from '#server/workers/tasks/index.ts'
import { makeTree } from './testing/tree.ts'

const scratch = testFolder('lost-queue')
const whole = makeTree(join(scratch, 'running'), 30_000)
mkdirSync(join(scratch, 'waiting'))
writeFileSync(join(scratch, 'waiting/one.mov'), 'one')

const platform = await testPlatform()
const { db, nats } = platform
const natsServer = await testNatsServer()
await taskConsumers(nats, 1)
const presence = startPresence(platform)
const scans = await startScanning(platform, presence)
// A real agent holds the key, not a simulated one.
await db.updateTable('agents').set({ run: null }).execute()
afterAll(async () => {
  await scans.stop()
  await presence.stop()
})

async function queueScan(name: string): Promise<number> {
  const volumeId = await createFileStorage(db, { name, path: join(scratch, name) })
  const jobId = await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  const { id } = await db.selectFrom('scans').select('id').where('jobId', '=', jobId).executeTakeFirstOrThrow()
  return id
}
const scanOf = (id: number) => db.selectFrom('scans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const taskOf = async (id: number) => {
  const { taskId } = await scanOf(id)
  return db.selectFrom('tasks').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow()
}

test('when NATS loses all that it holds, a scan that runs and one that waits end with every file once', async () => {
  const agent = startAgent(natsServer.url, 1)
  const running = await queueScan('running')
  await expect.poll(async () => (await scanOf(running)).state, { interval: 5 }).toBe('running')
  agent.child.kill('SIGSTOP')
  const waiting = await queueScan('waiting')
  await expect.poll(async () => (await taskOf(waiting)).status).toBe('AVAILABLE')
  await natsServer.kill()
  natsServer.forget()
  await natsServer.start()
  agent.child.kill('SIGCONT')
  const states = async () => [(await scanOf(running)).state, (await scanOf(waiting)).state]
  await expect.poll(states, { timeout: 180_000 }).toEqual(['done', 'done'])
  expect(await scanOf(running)).toMatchObject({ files: whole.files })
  expect(await scanOf(waiting)).toMatchObject({ files: 1 })
})
