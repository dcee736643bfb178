import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import { startLocalNats } from '#deploy/local/stores/natsServer.ts'
import { consumers, streams } from '#events/subjects.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { ensureStreams, openNats } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { removeAgent } from './changeAgent.ts'
import { createAgent } from './createAgent.ts'
import { arrangeAgents } from './index.ts'

const data = testFolder('nats')
const local = await startLocalNats(data, inject('stores').natsProgram)
const nats = await openNats(local.url, { seed: local.natsCredential })
await ensureStreams(nats)
const agentDoor = { natsUrl: local.url, admit: local.admit }
const platform: Platform = { ...(await testPlatform()), nats, agentDoor, live: () => {} }
const { db } = platform
afterAll(async () => {
  await nats.close()
  await local.stop()
})

const natsServer = (): number => JSON.parse(readFileSync(join(data, 'nats/running.json'), 'utf8')).pid
const stopNats = () => process.kill(natsServer(), 'SIGSTOP')
const continueNats = () => process.kill(natsServer(), 'SIGCONT')
afterEach(continueNats)
beforeEach(async () => {
  await db.deleteFrom('agents').where('id', '>', 1).execute()
  await arrangeAgents(platform)
})

const add = (name: string, on = platform) => createAgent(on, { name }, system)
const remove = (id: number, on = platform) => removeAgent(on, handlersFor(on), id, system)
const signIn = async ({ id, seed }: { id: number; seed: string }) =>
  (await openNats(local.url, { seed, inboxPrefix: `_INBOX_agent-${id}` })).close()

/** All data changed with agents, except the queues. */
async function settings() {
  const agents = await db.selectFrom('agents').select(['id', 'name', 'publicKey', 'deletedAt']).orderBy('id').execute()
  const events = await db.selectFrom('events').select('position').execute()
  return { agents, events, configuration: readFileSync(join(data, 'nats/nats.conf'), 'utf8') }
}
const queues = async () => {
  const found = await nats.jsm.consumers.list(streams.tasks).next()
  return found.map(({ name }) => name)
}

const refused = { status: 503, message: expect.stringContaining('Nothing was changed: nats-server does not respond') }

test('an agent that NATS cannot admit is not added, and adding it works when NATS responds', async () => {
  const [before, queuesBefore] = [await settings(), await queues()]
  stopNats()
  await expect(add('north')).rejects.toMatchObject(refused)
  expect(await settings()).toEqual(before)
  continueNats()
  await expect.poll(() => queues().catch(() => [])).toEqual(queuesBefore)
  const north = await add('north')
  await signIn(north)
  expect(await queues()).toContain(consumers.tasks(north.id, 'SCAN_VOLUMES'))
})

/** A platform whose NATS confirms no change. */
const reason = 'nats-server does not respond; see its log'
const unconfirmed = { ...platform, agentDoor: { ...agentDoor, admit: () => Promise.reject(new Error(reason)) } }

test('an agent that NATS does not cut off is not deleted', async () => {
  const north = await add('north')
  const before = await settings()
  await expect(remove(north.id, unconfirmed)).rejects.toMatchObject(refused)
  expect(await settings()).toEqual(before)
  await signIn(north)
  await remove(north.id)
  await expect(signIn(north)).rejects.toThrow('Authorization Violation')
})

test('a start fails while NATS does not confirm its agents, and changes nothing', async () => {
  await add('north')
  const before = await settings()
  await expect(arrangeAgents(unconfirmed)).rejects.toThrow(reason)
  expect(await settings()).toEqual(before)
})

/** Makes the event log reject events, which is the last step of a change. */
async function failingToRecord<T>(change: () => Promise<T>): Promise<T> {
  await sql`ALTER TABLE events ADD CONSTRAINT none CHECK (false) NOT VALID`.execute(db)
  return change().finally(() => sql`ALTER TABLE events DROP CONSTRAINT none`.execute(db))
}

test('NATS admits the earlier agents again when a later step of a change fails', async () => {
  const north = await add('north')
  const [before, queuesBefore] = [await settings(), await queues()]
  await expect(failingToRecord(() => add('south'))).rejects.toThrow('none')
  expect([await settings(), await queues()]).toEqual([before, queuesBefore])
  await expect(failingToRecord(() => remove(north.id))).rejects.toThrow('none')
  expect([await settings(), await queues()]).toEqual([before, queuesBefore])
  await signIn(north)
})

test('an agent whose queue cannot be made is not added', async () => {
  const before = await settings()
  const closed = await openNats(local.url, { seed: local.natsCredential })
  await closed.close()
  await expect(add('north', { ...platform, nats: closed })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await settings()).toEqual(before)
})
