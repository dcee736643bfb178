import { mkdirSync, writeFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Heartbeat } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { testFolder, testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { readConfig } from './config.ts'
import { openConnection } from './connection.ts'
import { readMachine } from './machine.ts'
import { openMounts } from './systems/network-mount/index.ts'
import { systemsWith } from './systems/index.ts'
import { startTasks } from './tasks.ts'
import { contradictions, pathOf, totals } from './testing/decodeRows.ts'
import { find, totalsOfFind } from './testing/find.ts'
import { makeOddTree } from './testing/oddTree.ts'
import { takeScans } from './testing/sentScans.ts'
import { serverSide } from './testing/serverSide.ts'
import { startAgent } from './testing/startAgent.ts'
import { orderOf } from './testing/walked.ts'

const nats = await testNats()
const { url } = await testNatsServer()
const scans = await takeScans(nats)
await scans.takeBatches()

test('an agent runs a scan order and reports from start to end', async () => {
  const server = await serverSide(nats, 1)
  server.answer()
  const root = testFolder()
  makeOddTree(root)
  const heartbeats = nats.connection.subscribe(subjects.heartbeat(1), { max: 1 })
  startAgent(url, 1)
  for await (const message of heartbeats) expect(Heartbeat.parse(message.json())).toMatchObject({ tasks: [] })
  await server.queue(10, orderOf(root, { scanId: 100 }))
  const completed = await scans.untilComplete(100)
  const { files, folders, bytes } = totalsOfFind(find(root))
  expect(completed).toMatchObject({ attempt: 1, progress: { entries: files + folders, bytes, queued: 0 } })
  expect(completed).toHaveProperty('capacity.total', expect.any(Number))
  expect(totals(scans.rows(100))).toEqual({ files, folders, bytes })
  expect(contradictions(scans.rows(100))).toEqual([])
  const types = scans.events(100).map(({ type }) => type)
  expect(types.filter((type) => type !== 'progressed')).toEqual(['started', 'completed'])
  await expect.poll(server.waiting).toBe(0)
})

test('an agent lists a folder before a storage is set up there, or reports why it cannot be scanned', async () => {
  const folder = testFolder('looked-at')
  for (const name of ['b', 'a', 'a/deep']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'file'), '')
  await serverSide(nats, 7)
  startAgent(url, 7)
  const look = async (path: string) =>
    (
      await nats.connection.request(subjects.look(7), JSON.stringify({ kind: 'fileStorage', path }), { timeout: 5_000 })
    ).json()
  const looked = { reason: null, field: null, isEmpty: false, folders: ['a', 'b'], hasMore: false, snapshotRules: [] }
  const mounts = {
    notEntered: [],
    realPath: realpathSync(folder),
    mountsAbove: expect.any(Array),
    sharesSpace: expect.any(Boolean),
  }
  await expect.poll(() => look(folder).catch(() => undefined)).toEqual({ ...looked, ...mounts })
  expect(await look(join(folder, 'a/deep'))).toMatchObject({ reason: null, isEmpty: true, folders: [] })
  expect(await look(join(folder, 'nothing'))).toMatchObject({ reason: `${folder}/nothing does not exist` })
  expect(await look(join(folder, 'file'))).toMatchObject({ reason: `${folder}/file is not a folder` })
  expect(await look('/proc/self')).toMatchObject({
    reason: expect.stringMatching(/a file system of the kernel \(proc\)/),
  })
})

test('an agent finds the snapshots of a folder and of the folders in it, and names ignored paths for them', async () => {
  const folder = testFolder('with-snapshots')
  for (const name of [
    '~snapshot/hourly.0',
    'home/.snapshot',
    '@GMT-2026.11.27-03.00.00',
    'snapshots',
    'pool/.zfs/snapshot',
  ])
    mkdirSync(join(folder, name), { recursive: true })
  await serverSide(nats, 8)
  startAgent(url, 8)
  const look = async () =>
    (
      await nats.connection.request(subjects.look(8), JSON.stringify({ kind: 'fileStorage', path: folder }), {
        timeout: 5_000,
      })
    ).json()
  await expect
    .poll(() => look().catch(() => undefined))
    .toMatchObject({ snapshotRules: ['**/.snapshot', '**/.zfs', '**/@GMT-*', '**/~snapshot'] })
})

test('an agent retries its request while the server is away or cannot answer', async () => {
  const server = await serverSide(nats, 2)
  startAgent(url, 2)
  const later = { type: 'later', reason: 'Postgres is away' } as const
  await server.queue(20, later, later, orderOf(testFolder(), { scanId: 200 }))
  await expect
    .poll(async () => (await nats.jsm.consumers.info('TASKS', 'agent-2-SCAN_VOLUMES')).num_ack_pending)
    .toBe(1)
  server.answer()
  await scans.untilSaid(200, 'completed')
  expect(server.requests.map(({ taskId }) => taskId)).toEqual([20, 20, 20])
  expect(new Set(server.requests.map(({ request }) => request)).size).toBe(1)
})

test('a task that is delivered twice runs once', async () => {
  const server = await serverSide(nats, 3)
  server.answer()
  await server.queue(30, orderOf('/usr/share', { scanId: 300 }))
  await server.queue(30)
  startAgent(url, 3)
  await scans.untilSaid(300, 'completed')
  await server.queue(30)
  await expect.poll(server.waiting).toBe(0)
  expect(server.requests).toHaveLength(1)
})

test('a task that is queued again while it runs starts again after the running attempt has stopped', async () => {
  const server = await serverSide(nats, 9)
  server.answer()
  startAgent(url, 9)
  const order = orderOf('/', { scanId: 900 })
  await server.queue(90, order, { ...order, attempt: 2, source: { kind: 'fileStorage', path: testFolder() } })
  await scans.untilSaid(900, 'started')
  server.nextTurn(90)
  await server.queue(90)
  await server.queue(90)
  await server.cancel(90, 1)
  await scans.untilSaid(900, 'cancelled')
  await scans.untilSaid(900, 'completed', 2)
  await expect.poll(server.waiting).toBe(0)
  expect(server.requests.map(({ taskId }) => taskId)).toEqual([90, 90])
})

test('an attempt ordered after an older one was cancelled continues', async () => {
  const server = await serverSide(nats, 11)
  startAgent(url, 11)
  await server.queue(110, orderOf(testFolder(), { scanId: 1100, attempt: 2 }))
  await expect
    .poll(async () => (await nats.jsm.consumers.info('TASKS', 'agent-11-SCAN_VOLUMES')).num_ack_pending)
    .toBe(1)
  await server.cancel(110, 1)
  server.answer()
  await scans.untilSaid(1100, 'completed', 2)
  expect(server.requests).toHaveLength(1)
})

test('an execution after a failed one has a request of its own, with the reason of the failure', async () => {
  const server = await serverSide(nats, 12)
  server.answer()
  const state = testFolder('state')
  const config = { ...readConfig({ NATS_URL: url, AGENT_ID: '12' }), state }
  const log = pino({ level: 'silent' })
  const connection = await openConnection(config, { run: 'a run', machine: readMachine(state, 'a run') }, log)
  const scan = vi.fn(async () => {}).mockRejectedValueOnce(new Error('The disk of the agent is full'))
  const tasks = startTasks(
    { connection, systems: systemsWith(await openMounts(state, log), state), state },
    { scan, action: async () => {} },
  )
  onTestFinished(async () => {
    await tasks.stop()
    await connection.nats.close()
  })
  await server.queue(120, orderOf(testFolder(), { scanId: 1200 }))
  await server.untilAsked(2)
  await expect.poll(server.waiting).toBe(0)
  const [first, second] = server.requests
  expect([first?.failure, second?.failure]).toEqual([undefined, 'The disk of the agent is full'])
  expect(second?.request).not.toBe(first?.request)
})

test('a task that is over does not start', async () => {
  const server = await serverSide(nats, 4)
  server.answer()
  startAgent(url, 4)
  await server.queue(40, { type: 'over', reason: 'The scan was cancelled' })
  await server.untilAsked(1)
  await expect.poll(server.waiting).toBe(0)
})

test('a missing folder, or a file in its place, fails the scan with the reason', async () => {
  const server = await serverSide(nats, 5)
  server.answer()
  startAgent(url, 5)
  const root = testFolder()
  writeFileSync(join(root, 'file'), '')
  await server.queue(50, orderOf(join(root, 'gone'), { scanId: 500 }))
  await server.queue(51, orderOf(join(root, 'file'), { scanId: 501 }))
  expect(await scans.untilSaid(500, 'failed')).toMatchObject({ reason: `${root}/gone does not exist` })
  expect(await scans.untilSaid(501, 'failed')).toMatchObject({ reason: `${root}/file is not a folder` })
  await expect.poll(server.waiting).toBe(0)
})

test('a resumed scan requests the folders that did not fit into its order', async () => {
  const server = await serverSide(nats, 6)
  server.answer()
  startAgent(url, 6)
  const root = testFolder()
  const folders = Array.from({ length: 50 }, (_, i) => `/${String(i).padStart(2, '0')}`)
  for (const folder of folders) mkdirSync(join(root, folder))
  server.setPages({ pending: folders.slice(20, 40), morePending: 10 }, { pending: folders.slice(40), morePending: 0 })
  const first = { pending: folders.slice(0, 20), morePending: 30 }
  await server.queue(60, orderOf(root, { scanId: 600, attempt: 2, ...first }))
  await scans.untilComplete(600, 2)
  expect(scans.rows(600).map(pathOf).sort()).toEqual(folders)
})

test('the agent ends when the server that started it is gone', async () => {
  const { child, ended } = startAgent(url, 7)
  const heartbeats = nats.connection.subscribe(subjects.heartbeat(7), { max: 1 })
  for await (const _ of heartbeats) child.disconnect()
  await ended
  expect(child.exitCode).toBe(0)
})

test('an agent without an address of NATS fails with a message, and an invalid seed is not shown', async () => {
  const { child, ended } = startAgent('', 8, { AGENT_SEED: 'SUSECRET' })
  await ended
  expect(child.exitCode).toBe(1)
})
