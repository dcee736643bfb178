import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { builtInAgent } from '#events/agents.ts'
import { csrfCookie, csrfHeader } from '#events/users/session.ts'
import { look } from '#server/messages/live/testing.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { testPooler } from '#server/platform/testing/pooler.ts'
import { testDatabaseUrl, testDb, testFolder, testNatsServer } from '#server/platform/testing/stores.ts'
import { testSession } from '#server/testing.ts'
import { makeTree } from './testing/tree.ts'
import { freePort } from './testing/freePort.ts'
import { agentOf, productAt, productEnvironment, signedIn, testPassword } from './testing.ts'
import { slowed } from './testing/slowed.ts'

/** Milliseconds after which supervisors kill: Docker's default, and for a busy machine three times as long. */
const killAfterMs = 30_000
const program = join(import.meta.dirname, '../../server/main.ts')
const tree = join(testFolder('stopping'), 'films')
let stores: NodeJS.ProcessEnv
let files: number

beforeAll(async () => {
  files = makeTree(tree, 20_000).files
  stores = {
    DATABASE_URL: await testDatabaseUrl(),
    CLICKHOUSE_URL: (await startBridge(testFolder('chdb'))).url,
    NATS_URL: (await testNatsServer()).url,
    DATAINTELL_SECRET_KEY: 'the key of both servers, 32 letters or more',
  }
})

/** A server on the stores of this file, in a process of its own. */
async function startServer(changes: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const env = { ...productEnvironment(testFolder('data'), stores), ...changes, PORT: String(port) }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${port}`
  await expect.poll(() => statusOf(address), { timeout: 120_000 }).toBe(200)
  return { child, host: `127.0.0.1:${port}`, address, product: productAt(address, notOurs, signedIn(address)) }
}
const notOurs = { startedAfter: 0, printed: () => '', pid: 0, kill: async () => {}, stop: async () => {} }

const statusOf = (address: string) =>
  fetch(`${address}/actuator/health`).then(
    ({ status }) => status,
    () => 0,
  )

/** Sends SIGTERM twice, as an impatient person does. */
async function stop(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit')
  const late = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  return ended.finally(() => clearTimeout(late))
}

/** A call whose body is incomplete: the server asks for the rest (100), so it has the call, and can't answer yet. */
function openCall(address: string) {
  const body = JSON.stringify({ name: 'admin', password: testPassword })
  const token = 'a-cross-site-token-of-the-tests-with-43-letters'
  const crossSite = { cookie: `${csrfCookie}=${token}`, [csrfHeader]: token }
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
    ...crossSite,
  }
  const call = request(`${address}/api/login`, { method: 'POST', headers })
  const answered = once(call, 'response').then(async ([response]) => [response.statusCode, await text(response)])
  const arrived = once(call, 'continue')
  call.write(body.slice(0, 10))
  return { answered, arrived, finish: () => void call.end(body.slice(10)) }
}

test('a server that stops finishes calls, sends browsers to another server, and hands its scan over to that', async () => {
  const servers = [await startServer(), await startServer()]
  const db = await testDb()
  // Of the built-in agents of both servers, one has the key and gets the tasks.
  const holder = () => db.selectFrom('agents').select('pid').where('id', '=', builtInAgent).executeTakeFirstOrThrow()
  const byAgent = new Map(servers.map((server) => [agentOf(server.child.pid ?? 0), server]))
  await expect.poll(async () => byAgent.has((await holder()).pid ?? 0)).toBe(true)
  const stopping = byAgent.get((await holder()).pid ?? 0)
  const staying = servers.find((server) => server !== stopping)
  if (!stopping || !staying) throw new Error('No server has the agent')
  const rests = [...byAgent.keys()].map((pid) => slowed(pid))
  onTestFinished(async () => void (await Promise.allSettled(rests.map(({ goOn }) => goOn()))))

  const session = await testSession(db, [])
  const [leaving, other] = [look(stopping.host, { session }), look(staying.host, { session })]
  await Promise.all([leaving.opened(), other.opened()])
  const closed = leaving.closed()
  const volumeId = await staying.product.addStorage({ name: 'Films', path: tree })
  await staying.product.call('POST', '/v1/scans/volumes/ids', [volumeId])
  const scan = () => db.selectFrom('scans').selectAll().executeTakeFirst()
  await expect.poll(async () => (await scan())?.state, { interval: 10 }).toBe('running')
  const call = openCall(stopping.address)
  await call.arrived

  const ended = stop(stopping.child)
  expect(await closed).toBe(1001)
  await expect.poll(() => statusOf(stopping.address)).toBe(0)
  call.finish()
  expect(await call.answered).toEqual([200, expect.any(String)])
  expect(await ended).toEqual([0, null])

  await Promise.allSettled(rests.map(({ goOn }) => goOn()))
  await expect.poll(async () => (await scan())?.finishedAt, { timeout: 120_000 }).not.toBeNull()
  expect(await scan()).toMatchObject({ state: 'done', attempt: 2, files })
  expect(other.socket.readyState).toBe(other.socket.OPEN)
  expect(await stop(staying.child)).toEqual([0, null])
})

test('a server that waits for its stores ends at once', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const env = { ...productEnvironment(testFolder('data'), stores), DATABASE_URL: `postgres://127.0.0.1:${port}/none` }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [socket] = (await once(silent, 'connection')) as [Socket]
  expect(await stop(child)).toEqual([0, null])
  socket.destroy()
})

test('a server works behind a pooler with sessions', async () => {
  const { child } = await startServer({ DATABASE_URL: await testPooler('session') })
  expect(await stop(child)).toEqual([0, null])
})

test.each([
  ['without an address of a store', () => ({ NATS_URL: '' }), 'Set DATABASE_URL, CLICKHOUSE_URL and NATS_URL'],
  [
    'behind a pooler that shares connections',
    async () => ({ DATABASE_URL: await testPooler('transaction') }),
    'DATABASE_URL leads to a connection pooler that shares connections between clients.',
  ],
])('a server %s says so, and is not to be started again', async (_, changes, reason) => {
  const env = { ...productEnvironment(testFolder('data'), stores), ...(await changes()) }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, said]).toEqual([2, expect.stringContaining(reason)])
})
