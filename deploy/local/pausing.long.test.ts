import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { JobDetails } from '#events/jobs/calls.ts'
import { type JobEvent, isOpen } from '#events/jobs/events.ts'
import { ServerMessage, livePath } from '#events/live.ts'
import { sessionCookie } from '#events/users/session.ts'
import { compareJobs } from '#server/workers/jobs/index.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { testSession } from '#server/testing.ts'
import { makeTree } from './testing/tree.ts'
import { type Product, agentOf, startProduct } from './testing.ts'
import { slowed } from './testing/slowed.ts'

const scratch = testFolder('pausing')
const [tree, data] = [join(scratch, 'tree'), join(scratch, 'data')]
const environment = { DATABASE_URL: await testDatabaseUrl() }
const db = await testDb()
// Before the first call: the server closes connections that idle meanwhile. Names are so long that a batch holds 20,000
// of them.
makeTree(tree, 120_000, 'frame'.repeat(18))
const whole = totalsOfFind(find(tree))
mkdirSync(join(scratch, 'small'))
let product = await startProduct(data, { environment })
afterAll(() => product.stop())

const call = async (...input: Parameters<Product['call']>) => {
  const { status, answer } = await product.call(...input)
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return answer
}
beforeAll(async () => {
  await lookOn()
  for (const [name, path] of [
    ['Tree', tree],
    ['Small', join(scratch, 'small')],
  ] as const)
    await product.addStorage({ name, path })
})
const job = async (id: number) => JobDetails.parse(await call('GET', `/v1/jobs/${id}`))
const put = (id: number, status: string) => call('PUT', `/v1/jobs/${id}`, { status })
const scanOf = (jobId: number) =>
  db.selectFrom('scans').selectAll().where('jobId', '=', jobId).executeTakeFirstOrThrow()

/** Number of entries found by the current attempt of each job, as reported to browsers. */
const met = new Map<number, number>()
/** Reasons why viewer connections ended, for the message of a failure. */
const cuts: string[] = []
/** Follows the topics like a browser, reconnecting whenever the connection ends. */
async function lookOn(): Promise<void> {
  const cookie = `${sessionCookie}=${await testSession(db, ['ROLE_ADMIN'])}`
  connect(product.address, cookie)
}

function connect(origin: string, cookie: string): void {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${livePath}`, { headers: { cookie, origin } } as never)
  socket.addEventListener('close', ({ code, reason }) => {
    if (origin !== product.address) return
    cuts.push(`${code} ${reason} at ${new Date().toISOString()}`)
    setTimeout(() => connect(origin, cookie), 1_000).unref()
  })
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'subscribe', topic: 'dashboard' })))
  socket.addEventListener('message', ({ data }) => {
    const message = ServerMessage.parse(JSON.parse(String(data)))
    if (message.type === 'events')
      for (const event of message.events)
        if (event.type === 'scanProgressed') met.set(event.jobId, event.progress.entries)
    // A viewer that was too slow for the events gets the whole state again.
    if (message.type === 'state' && message.state && 'scans' in message.state)
      for (const { jobId, progress } of message.state.scans) if (progress) met.set(jobId, progress.entries)
  })
}

/** Every file once, no matter what was interrupted. */
const isWhole = { state: 'done', reason: null, files: whole.files, bytes: whole.bytes, unreadable: 0 }

/** Number of batches of scans that the server has ingested. */
async function batches(): Promise<number> {
  const metrics = await (await fetch(`${product.address}/actuator/prometheus`)).text()
  return Number(/^dataintell_ingested_batches_total (\d+)/m.exec(metrics)?.[1])
}

/**
 * Starts a scan with a slow agent and pauses it once each of its threads has sent a batch. The agent stays idle until
 * it is resumed.
 */
async function beginAndPause(): Promise<number> {
  const before = await batches()
  const agent = slowed(agentOf(product.pid), 200)
  onTestFinished(() => agent.goOn().catch(() => undefined))
  const { jobId } = (await call('POST', '/v1/scans/volumes/ids', [1])) as { jobId: number }
  const hasMet = async () => {
    const entries = met.get(jobId) ?? 0
    const arrived = (await batches()) - before
    if (entries <= 45_000 || arrived < 2)
      throw new Error(`${entries} entries were reported, ${arrived} batches arrived; ended connections: ${cuts.join()}`)
  }
  await vi.waitFor(hasMet, { interval: 20, timeout: 250_000 })
  await agent.freeze()
  await put(jobId, 'WAITING')
  await agent.goOn()
  expect((await job(jobId)).status).toBe('WAITING')
  return jobId
}

const untilOver = (jobId: number) => expect.poll(async () => isOpen(await job(jobId)), { timeout: 120_000 }).toBe(false)

test('a paused scan frees its agent and continues where it stopped', async () => {
  const jobId = await beginAndPause()
  const { jobId: small } = (await call('POST', '/v1/scans/volumes/ids', [2])) as { jobId: number }
  await untilOver(small)
  expect((await job(small)).status).toBe('SUCCESS')
  expect(await job(jobId)).toMatchObject({ status: 'WAITING', tasks: [{ status: 'WAITING', attempt: 1 }] })
  expect(await scanOf(jobId)).toMatchObject({ state: 'waiting', finishedAt: null })

  await put(jobId, 'AVAILABLE')
  await untilOver(jobId)
  expect(await job(jobId)).toMatchObject({ status: 'SUCCESS', tasks: [{ attempt: 2 }] })
  expect(await scanOf(jobId)).toMatchObject(isWhole)
  // The second attempt did not list again what the first one had listed.
  expect(met.get(jobId)).toBeLessThan(whole.files + whole.folders - 10_000)
  const events = (await readStream<JobEvent>(db, `job-${jobId}`)).map(({ event }) => event.type)
  expect(events.filter((type) => /Started|Paused|Resumed|Lost/.test(type))).toEqual([
    'TaskStarted',
    'TaskPaused',
    'TaskResumed',
    'TaskStarted',
  ])
})

test('a paused scan survives restarts of its agent and the server, and then continues', async () => {
  const jobId = await beginAndPause()
  const killed = agentOf(product.pid) ?? 0
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => [undefined, killed].includes(agentOf(product.pid)), { timeout: 60_000 }).toBe(false)
  await product.kill()
  product = await startProduct(data, { environment })
  await lookOn()
  expect((await job(jobId)).status).toBe('WAITING')
  await put(jobId, 'AVAILABLE')
  await untilOver(jobId)
  expect((await job(jobId)).status).toBe('SUCCESS')
  expect(await scanOf(jobId)).toMatchObject(isWhole)
})

test('cancelling a paused scan keeps the snapshot and frees the storage', async () => {
  const shown = async () => (await call('GET', '/v1/volumes')) as { elements: object[] }
  const before = (await shown()).elements
  const jobId = await beginAndPause()
  expect((await product.call('POST', '/v1/scans/volumes/ids', [1])).status).toBe(409)
  await put(jobId, 'CANCELLED')
  expect((await scanOf(jobId)).state).toBe('cancelled')
  expect((await shown()).elements).toEqual(before)
  const { jobId: next } = (await call('POST', '/v1/scans/volumes/ids', [1])) as { jobId: number }
  await untilOver(next)
  expect(await scanOf(next)).toMatchObject(isWhole)
})

test('a replay of all that happened finds no difference', async () => {
  expect((await compareJobs(db)).differences).toEqual([])
})
