import { afterAll, beforeEach, expect, test } from 'vitest'
import { type AgentMachine, type Heartbeat, type HeartbeatAnswer } from '#events/agents.ts'
import { streamNames } from '#events/streams.ts'
import { createApp } from '#server/app.ts'
import { admitRun, claimBuiltInRun } from '#server/workers/agent-runs/index.ts'
import { findProblems } from '#server/messages/health/findProblems.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { handlersFor, startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { rowsOf, simulatedAgent, simulatedRun } from '#server/scanning/scans/testing/simulatedAgent.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { agentRoutes } from './index.ts'
import { beatOf } from '#server/workers/agent-runs/testing.ts'

const platform = await testPlatform()
const { db, nats } = platform
await taskConsumers(nats, 1)
const { takeTask, send, takenIn, say, complete } = simulatedAgent(nats)
const server = await startScanning(platform)
afterAll(() => server.stop())
const app = createApp(platform, agentRoutes(platform, handlersFor(platform)))
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))

const north: AgentMachine = { id: 'aaaaaaaa north', boot: 'monday', pid: 10 }
const imaged: AgentMachine = { id: 'bbbbbbbb imaged', boot: 'tuesday', pid: 10 }
const runs = { first: '11111111 first', second: '22222222 second' }
/** The response of a server that has been listening for long. */
const admit = async (beat: Heartbeat, agentId = id): Promise<HeartbeatAnswer['type'] | undefined> =>
  (await admitRun(db, agentId, beat, 0))?.type
const silent = (seconds: number) =>
  db
    .updateTable('agents')
    .set({ lastActiveAt: new Date(Date.now() - seconds * 1_000) })
    .where('id', '=', id)
    .execute()
const accept = (code: string) => ask('PUT', `/api/servers/${id}/machine`, { code })
const infoOf = async () =>
  (await ask('GET', '/api/v1/servers/infos')).body.find((info: { id: number }) => info.id === id)
const problems = async () =>
  (await findProblems(platform, new Set())).flatMap(({ key, message }) => (key.startsWith('agent') ? [message] : []))

let id: number
let made = 0
beforeEach(async () => {
  await db.updateTable('agents').set({ refused: null }).execute()
  const agent = { name: `agent ${++made}` }
  ;({ id } = await db.insertInto('agents').values(agent).returning('id').executeTakeFirstOrThrow())
  await taskConsumers(nats, id)
})

test('a machine that was imaged again is refused, also while the one before is silent, until it is accepted', async () => {
  expect(await admit(beatOf(runs.first, north))).toBe('accepted')
  await silent(3_600)
  expect(await admit(beatOf(runs.second, imaged))).toBe('refused')
  const [before, after] = ['north (machine aaaaaaaa, run 11111111)', 'north (machine bbbbbbbb, run 22222222)']
  expect(await infoOf()).toMatchObject({
    state: 'inactive',
    machine: before,
    refused: { machine: after, code: '22222222', isOutdated: false },
  })
  expect(await problems()).toEqual([
    `Two machines use the key of agent agent ${made}: ${before} holds it, and ${after} gets no tasks. Stop the agent on one of them, or accept the second machine in Settings > Agents.`,
  ])
  await accept('22222222').expect(204)
  expect(await infoOf()).toMatchObject({ state: 'active', machine: after, refused: null })
  expect(await problems()).toEqual([])
  expect(await admit(beatOf(runs.second, imaged))).toBe('accepted')
  expect(await admit(beatOf('33333333 restarted', imaged, { gone: { boot: imaged.boot, pid: imaged.pid } }))).toBe(
    'accepted',
  )
  expect(await admit(beatOf(runs.first, north))).toBe('refused')
  const [event] = await db.selectFrom('events').selectAll().where('stream', '=', streamNames.agent(id)).execute()
  expect(event).toMatchObject({
    type: 'Changed',
    actor: expect.stringMatching(/^user-/),
    data: { before: { machine: before }, after: { machine: after } },
  })
})

test('work of the previous machine ends, its messages are refused, and waiting work moves to the new one', async () => {
  id = 1
  const second = { machine: imaged.id, boot: imaged.boot, pid: imaged.pid, host: 'north', version: '1' }
  const at = new Date().toISOString()
  const refused = JSON.stringify({ ...second, run: runs.second, since: at, at })
  await db.updateTable('agents').set({ run: simulatedRun, machine: north.id, refused }).where('id', '=', id).execute()
  const queue = async () => {
    const volumeIds = [await createFileStorage(db, { name: `storage ${++made}`, path: '/somewhere' })]
    return queueScans(db, { ids: volumeIds, cloneIndex: true, by: system })
  }
  const begun = await queue()
  const order = await takeTask()
  await send(order, rowsOf())
  await takenIn()
  const waiting = await queue()
  const stateOf = async (jobId: number) => {
    const scans = db.selectFrom('scans').select(['state', 'reason', 'agentRun']).where('jobId', '=', jobId)
    return scans.executeTakeFirstOrThrow()
  }
  await accept('22222222').expect(204)
  expect(await stateOf(begun)).toMatchObject({
    state: 'failed',
    reason: 'Agent Built-in agent now runs on another machine: north (machine bbbbbbbb, run 22222222)',
  })
  await complete(order, 1)
  await say(order, { type: 'unreadable', path: '/x', error: 'EACCES' })
  await send(order, rowsOf(), 2)
  const refusals = async () =>
    (await db.selectFrom('refusedMessages').select('reason').execute()).map(({ reason }) => reason)
  await expect.poll(refusals).toEqual(expect.arrayContaining(['a batch of a closed scan', 'the scan is closed']))
  expect((await stateOf(begun)).state).toBe('failed')
  expect((await stateOf(waiting)).state).toBe('waiting')
  await db.updateTable('agents').set({ run: simulatedRun }).where('id', '=', id).execute()
  const next = await takeTask()
  await send(next, rowsOf())
  await complete(next, 1)
  await expect.poll(async () => (await stateOf(waiting)).state, { timeout: 20_000 }).toBe('done')
})

test('a machine that is no longer there, that was not shown, or that is too old is not accepted', async () => {
  await admit(beatOf(runs.first, north))
  await accept('22222222').expect(409)
  await admit(beatOf(runs.second, imaged))
  await accept('33333333').expect(409)
  const gone = { ...beatOf(runs.second), machine: imaged.id, boot: imaged.boot, pid: 1 }
  const at = new Date(Date.now() - 60_000).toISOString()
  await db
    .updateTable('agents')
    .set({ refused: JSON.stringify({ ...gone, since: at, at }) })
    .where('id', '=', id)
    .execute()
  const { body } = await accept('22222222').expect(409)
  expect(body.message).toBe(
    `That machine no longer asks to run agent agent ${made}. Start the agent there, and try again.`,
  )
  await admit(beatOf('44444444 old'))
  expect((await accept('44444444').expect(409)).body.message).toContain('is too old. Update it')
  expect(await admit(beatOf(runs.first, north))).toBe('accepted')
  await ask('PUT', '/api/servers/999999/machine', { code: 'x' }).expect(404)
  await ask('PUT', `/api/servers/${id}/machine`, {}).expect(400)
})

test('an agent that is too old gets no key, and the problems of the product say so', async () => {
  for (const old of [beatOf('44444444 old'), { ...beatOf('44444444 old', north), protocol: 1 }]) {
    expect(await admit({ ...old, version: '0.0.9' })).toBe('refused')
    expect(await infoOf()).toMatchObject({ state: 'unknown', machine: null, refused: { isOutdated: true } })
  }
  expect(await problems()).toEqual([
    `Agent agent ${made} on north (run 44444444) has version 0.0.9, which is too old: it gets no tasks. Update it to the version of this server.`,
  ])
  expect(await admit(beatOf(runs.first, north))).toBe('accepted')
})

test('an agent that does not exist, or was deleted, gets no answer', async () => {
  expect(await admit(beatOf(runs.first, north), 999_999)).toBeUndefined()
  await db.updateTable('agents').set({ deletedAt: new Date() }).where('id', '=', id).execute()
  expect(await admit(beatOf(runs.first, north))).toBeUndefined()
})

test('the server passes the key of the built-in agent to each run that it starts, on any machine', async () => {
  await claimBuiltInRun(db, runs.first)
  expect(await admit(beatOf(runs.first, north), 1)).toBe('accepted')
  await claimBuiltInRun(db, runs.second)
  expect(await admit(beatOf(runs.first, north), 1)).toBe('refused')
  expect(await admit(beatOf(runs.second, imaged), 1)).toBe('accepted')
  expect(await admit(beatOf(runs.first, north), 1)).toBe('refused')
  expect(await problems()).toEqual([])
})
