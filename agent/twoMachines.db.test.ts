import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentMachine } from '#events/agents.ts'
import { createApp } from '#server/app.ts'
import { agentRoutes } from '#server/workers/agents/index.ts'
import { findProblems } from '#server/messages/health/findProblems.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testFolder, testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { handlersFor, startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { startPresence as startServerPresence } from '#server/workers/tasks/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { readConfig } from './config.ts'
import { openConnection } from './connection.ts'
import { startPresence } from './presence.ts'
import { openSystems, type Systems } from './systems/index.ts'
import { startTasks } from './tasks.ts'
import { startAgent } from './testing/startAgent.ts'

const platform = await testPlatform()
const { db, nats } = platform
const { url } = await testNatsServer()
const presence = startServerPresence(platform)
const server = await startScanning(platform, presence)
afterAll(async () => {
  await server.stop()
  await presence.stop()
})
const ask = asUser(
  createApp(platform, agentRoutes(platform, handlersFor(platform))),
  await testSession(db, ['ROLE_ADMIN']),
)

async function addAgent(name: string): Promise<number> {
  const { id } = await db.insertInto('agents').values({ name }).returning('id').executeTakeFirstOrThrow()
  await taskConsumers(nats, id)
  return id
}
const infoOf = async (id: number) =>
  (await ask('GET', '/api/v1/servers/infos')).body.find((info: { id: number }) => info.id === id)
const runOf = async (id: number) =>
  (await db.selectFrom('agents').select('run').where('id', '=', id).executeTakeFirstOrThrow()).run

/** A machine that runs the agent, with its own files in the path of the storage. */
async function startMachine(agentId: number, machine: AgentMachine, files: number) {
  const folder = testFolder(machine.id)
  for (let n = 0; n < files; n++) writeFileSync(join(folder, `file ${n}`), machine.id)
  const state = testFolder('state')
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const config = { ...readConfig({ NATS_URL: url, AGENT_ID: String(agentId) }), state }
  const connection = await openConnection(config, { run: `run of ${machine.id} ${machine.boot}`, machine }, log)
  const ofMachine = await openSystems(state, log)
  const source = { kind: 'fileStorage' as const, path: folder }
  const systems: Systems = { ...ofMachine, open: (request, signal) => ofMachine.open({ ...request, source }, signal) }
  const running = startPresence(connection, () => startTasks({ connection, systems, state }))
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= running.stop().then(() => connection.nats.drain()))
  afterAll(stop)
  return { lines, stop }
}

const north = { id: '11111111 of north', boot: 'boot of north', pid: 1 }
const clone = { id: '22222222 of its clone', boot: 'boot of its clone', pid: 1 }

let agentId: number
let volumeId: number
beforeAll(async () => {
  agentId = await addAgent('north')
  volumeId = await createFileStorage(db, { name: 'films', path: '/films', server: { id: agentId } })
})
async function scan(): Promise<unknown> {
  const jobId = await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  const found = () => db.selectFrom('scans').selectAll().where('jobId', '=', jobId).executeTakeFirstOrThrow()
  await expect.poll(async () => (await found()).finishedAt, { timeout: 60_000 }).not.toBeNull()
  const { state, files } = await found()
  return [state, files]
}
let first: Awaited<ReturnType<typeof startMachine>>
let second: typeof first

test('of two machines with one key only the first scans, and the second gets the reason', async () => {
  first = await startMachine(agentId, north, 5)
  await expect.poll(() => infoOf(agentId)).toMatchObject({ state: 'active', refused: null })
  second = await startMachine(agentId, clone, 3)
  await expect
    .poll(() => second.lines.at(-1))
    .toContain('If this machine replaces the other one, accept it in Settings')
  expect(second.lines.at(-1)).toMatch(
    /belongs to .* \(machine 11111111.* This is .* \(machine 22222222.* gets no tasks/,
  )
  for (let n = 0; n < 4; n++) expect(await scan()).toEqual(['done', 5])
  const runs = await db.selectFrom('scans').select('agentRun').distinct().execute()
  expect(runs).toEqual([{ agentRun: await runOf(agentId) }])
})

test('the problems of the product name both machines', async () => {
  const [problem] = (await findProblems(platform, new Set())).filter(({ key }) => key.startsWith('agent'))
  expect(problem?.message).toMatch(
    /^Two machines use the key of agent north: .*machine 11111111.* holds it, and .*machine 22222222.* gets no tasks/,
  )
})

test('the second machine scans once an administrator accepts it, and the first is refused', async () => {
  const { refused, machine } = await infoOf(agentId)
  expect([machine, refused.machine]).toEqual([
    expect.stringContaining('machine 11111111'),
    expect.stringContaining('machine 22222222'),
  ])
  const path = `/api/servers/${agentId}/machine`
  await ask('PUT', path, { code: 'unknown' }).expect(409)
  await ask('PUT', path, { code: refused.code }).expect(204)
  await expect.poll(() => second.lines.at(-1)).toBe('agent ready')
  await expect.poll(() => first.lines.at(-1), { timeout: 10_000 }).toContain('gets no tasks')
  expect(await scan()).toEqual(['done', 3])
  const change = await db
    .selectFrom('events')
    .select('data')
    .where('stream', '=', `agent-${agentId}`)
    .executeTakeFirst()
  expect(change?.data).toMatchObject({ before: { machine }, after: { machine: refused.machine } })
})

test('after an orderly stop only the next start of the machine gets the key', async () => {
  await second.stop()
  await expect.poll(() => runOf(agentId)).toBeNull()
  const again = await startMachine(agentId, { ...clone, boot: 'next boot of the clone', pid: 2 }, 4)
  await expect.poll(() => again.lines.at(-1)).toBe('agent ready')
  expect(await scan()).toEqual(['done', 4])
  await again.stop()
  await expect.poll(() => runOf(agentId)).toBeNull()
  await expect.poll(() => infoOf(agentId)).toMatchObject({ refused: { machine: expect.stringContaining('11111111') } })
  await first.stop()
})

test('two processes of one machine: the second waits until the first is killed, and then follows at once', async () => {
  const id = await addAgent('south')
  // A machine without an ID is identified by the ID stored in this folder.
  const state = testFolder('state')
  const start = () => startAgent(url, id, { AGENT_STATE: state, LOG_LEVEL: 'silent' })
  const killed = start()
  await expect.poll(() => runOf(id), { timeout: 30_000 }).not.toBeNull()
  const run = await runOf(id)
  start()
  await expect.poll(() => infoOf(id), { timeout: 30_000 }).toMatchObject({ refused: { isOutdated: false } })
  expect(await runOf(id)).toBe(run)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  const at = Date.now()
  await expect.poll(() => runOf(id), { timeout: 30_000 }).not.toBe(run)
  expect(Date.now() - at).toBeLessThan(12_000)
  expect(await infoOf(id)).toMatchObject({ state: 'active', refused: null })
})
