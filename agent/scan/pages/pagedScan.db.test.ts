import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type TaskAnswer, TaskRequest } from '#events/tasks.ts'
import { streams, subjects } from '#events/subjects.ts'
import { staging, startIngest, tablesOf } from '#server/workers/ingest/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { ensureStreams } from '#server/platform/nats/nats.ts'
import { cases, isLong } from '#server/platform/testing/cases.ts'
import { testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { commitScan } from '#server/content/snapshots/index.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { newScan, newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { madeUpObjects } from '../../testing/madeUpStore.ts'
import { takeScans } from '../../testing/sentScans.ts'
import { serverSide } from '../../testing/serverSide.ts'
import { orderOf } from '../../testing/walked.ts'

const count = cases(12_000, 600_000)
/** Several batches need many keys. */
const ofManyBatches = { skip: !isLong }
const objects = madeUpObjects(count)
const platform = await testPlatform()
const { db, clickhouse, nats } = platform
const { url } = await testNatsServer()
const scans = await takeScans(nats)

/** The run that starts every attempt here. */
const run = 'a run'

type AgentMessage = { requests: number; memory: number }
type Behaviour = { pageMs?: number; busyEvery?: number }

/** An agent whose storage is the made-up one. */
function startObjectAgent(agentId: number, behaviour: Behaviour = {}) {
  const env = { PATH: process.env['PATH'], NATS_URL: url, AGENT_ID: String(agentId), AGENT_RUN: run }
  const program = join(import.meta.dirname, '../../testing/objectAgent.ts')
  const child: ChildProcess = fork(program, [String(count), JSON.stringify(behaviour)], { env })
  let told: AgentMessage = { requests: 0, memory: 0 }
  child.on('message', (message: AgentMessage) => (told = message))
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null)
      await Promise.all([once(child, 'exit'), child.kill('SIGKILL')])
  }
  afterAll(kill)
  return { told: () => told, kill }
}

/** A volume whose scans the server orders as it orders those of a bucket: each start is a new attempt. */
async function bucketOf(agentId: number, name: string) {
  await db
    .insertInto('agents')
    .values({ id: agentId, name: `Agent ${agentId}` })
    .onConflict((on) => on.doNothing())
    .execute()
  const volumeId = await newVolume(platform, name)
  const server = await serverSide(nats, agentId)
  const scanned = new Map<number, { scanId: number; attempt: number; pending: string[] }>()
  nats.connection.subscribe(subjects.startTask(agentId), {
    callback: (_, message) =>
      void start(TaskRequest.parse(message.json()).taskId).then((answer) => message.respond(JSON.stringify(answer))),
  })
  const start = async (taskId: number): Promise<TaskAnswer> => {
    const task = scanned.get(taskId)
    if (!task) return { type: 'over', reason: 'There is none' }
    const attempt = ++task.attempt
    await db
      .updateTable('scans')
      .set({ state: 'running', agentRun: run, attempt })
      .where('id', '=', task.scanId)
      .execute()
    await staging.create(clickhouse, task.scanId, { hasKeys: true })
    if (attempt > 1) await staging.startAttempt(clickhouse, task.scanId, attempt, '', 'pages')
    const left =
      attempt === 1 ? staging.firstPage('', 'pages') : await staging.pending(clickhouse, task.scanId, undefined, 2_000)
    task.pending = left.pending
    return { type: 'scan', order: orderOf('', { scanId: task.scanId, volumeId, attempt, ...left }) }
  }
  return {
    volumeId,
    cancel: server.cancel,
    waiting: server.waiting,
    async scan(taskId: number, indexingDate: string) {
      const scanId = await newScan(platform, { volumeId, indexingDate })
      await db.updateTable('scans').set({ agentId }).where('id', '=', scanId).execute()
      const task = { scanId, attempt: 0, pending: [] as string[] }
      scanned.set(taskId, task)
      await server.queue(taskId)
      return task
    },
  }
}

/** Waits for the end of an attempt, checks that all of it is there, and commits it. */
async function commit(scanId: number, attempt = 1) {
  const completed = await scans.untilSaid(scanId, 'completed', attempt)
  if (completed.type !== 'completed') throw new Error('It is not complete')
  const missing = () => staging.missing(clickhouse, scanId, completed, '', 'pages')
  await expect.poll(missing, { timeout: 60_000, interval: 200 }).toBe(undefined)
  await db.updateTable('scans').set({ state: 'committing' }).where('id', '=', scanId).execute()
  await commitScan(platform, scanId, async () => {})
  return completed
}

type Row = {
  path: string
  isDirectory: boolean
  size: number
  files: number
  folders: number
  etag: string
  storageClass: string
  owner: string
  modified: number
}
const lineOf = (row: Row) =>
  JSON.stringify([
    row.path,
    row.isDirectory,
    row.size,
    row.files,
    row.folders,
    row.etag,
    row.storageClass,
    row.owner,
    row.isDirectory || row.modified,
  ])

async function snapshotOf(volumeId: number, date: string): Promise<string[]> {
  const snapshot = await snapshotAt(db, 'everything', date)
  if (!snapshot) throw new Error('There is no snapshot')
  const rows = await clickhouse.rows<Row>(
    sql`
    SELECT concat(parent_path, name) AS path, is_directory AS isDirectory, toFloat64(size) AS size,
      toFloat64(files) AS files, toFloat64(folders) AS folders, etag, storage_class AS storageClass, owner,
      toUnixTimestamp(modified) AS modified
    FROM ${entriesAt(snapshot)} WHERE volume = ${volumeId}`,
    { seconds: 300 },
  )
  return rows.map(lineOf).sort()
}

/** The entries of the objects, and of the folders in their keys, made by plain loops. */
function expectedSnapshot(): string[] {
  const blank = { etag: '', storageClass: '', owner: '', modified: 0 }
  const folders = new Map<string, Row>()
  const folder = (path: string): Row => {
    const known = folders.get(path)
    if (known) return known
    const made = { ...blank, path, isDirectory: true, size: 0, files: 0, folders: 0 }
    folders.set(path, made)
    if (path !== '') for (const above of foldersAbove(path)) folder(above).folders++
    return made
  }
  const files = objects.map(({ key, size, modified, etag = '', storageClass = '', owner = '' }) => {
    const path = `/${key}`
    for (const above of foldersAbove(path)) {
      const totals = folder(above)
      totals.size += size
      totals.files++
    }
    return { path, isDirectory: false, size, files: 0, folders: 0, etag, storageClass, owner, modified }
  })
  return [...files, ...folders.values()].map(lineOf).sort()
}

/** '/a//b' is in '', '/a' and '/a/'. */
function foldersAbove(path: string): string[] {
  const above: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) above.push(path.slice(0, at))
  return above
}

const expected = expectedSnapshot()
function differences(found: string[]): { missing: string[]; unexpected: string[]; count: number } {
  const [here, wanted] = [new Set(found), new Set(expected)]
  return {
    missing: expected.filter((line) => !here.has(line)).slice(0, 5),
    unexpected: found.filter((line) => !wanted.has(line)).slice(0, 5),
    count: found.length,
  }
}
const none = { missing: [], unexpected: [], count: expected.length }

const ingesting = () => startIngest(platform, { inserted: async () => {} })

const stagedBatches = async (scanId: number): Promise<number> => {
  const { batches } = await clickhouse.one<{ batches: number }>(
    sql`SELECT toFloat64(uniqExact(attempt, batch)) AS batches FROM ${tablesOf(scanId).staging}`,
  )
  return batches
}

test('a store of many keys becomes the snapshot that its keys say, also where it is busy at times', async () => {
  const ingest = await ingesting()
  const bucket = await bucketOf(21, 'bucket')
  startObjectAgent(21, { busyEvery: 17 })
  const { scanId } = await bucket.scan(210, '2026-01-01')
  const completed = await commit(scanId)
  const bytes = objects.reduce((sum, { size }) => sum + size, 0)
  expect(completed).toMatchObject({ progress: { entries: count + 1, bytes, unreadable: 0, queued: 0 } })
  expect(differences(await snapshotOf(bucket.volumeId, '2026-01-01'))).toEqual(none)
  await expect.poll(bucket.waiting).toBe(0)
  await ingest.stop()
})

test(
  'an agent that is killed in the middle continues from its last checkpoint, and every entry is there once',
  ofManyBatches,
  async () => {
    const ingest = await ingesting()
    const bucket = await bucketOf(22, 'killed')
    const first = startObjectAgent(22, { pageMs: 60 })
    const task = await bucket.scan(220, '2026-01-01')
    await scans.untilSaid(task.scanId, 'started')
    await expect.poll(() => stagedBatches(task.scanId), { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
    await first.kill()
    const second = startObjectAgent(22, { pageMs: 60 })
    await expect.poll(() => task.attempt, { timeout: 60_000 }).toBe(2)
    await expect.poll(() => stagedBatches(task.scanId), { timeout: 60_000 }).toBeGreaterThanOrEqual(6)
    await second.kill()
    startObjectAgent(22)
    const completed = await commit(task.scanId, 3)
    expect(task.pending).not.toContain('')
    expect(completed.progress.entries).toBeLessThan(count - 60_000)
    expect(differences(await snapshotOf(bucket.volumeId, '2026-01-01'))).toEqual(none)
    // The next scan, which is not cut short, finds the same: nothing has a new version.
    const { scanId } = await bucket.scan(221, '2026-01-02')
    await commit(scanId)
    const { changed } = await clickhouse.one<{ changed: number }>(
      sql`SELECT toFloat64(count()) AS changed FROM entries WHERE volume = ${bucket.volumeId} AND from_scan = ${scanId}`,
    )
    expect(changed).toBe(0)
    await ingest.stop()
  },
)

test('a stream that is full halts the listing, which then loses nothing', ofManyBatches, async () => {
  await ensureStreams(nats, { scanBytes: 500_000 })
  const bucket = await bucketOf(23, 'halted')
  const agent = startObjectAgent(23)
  const { scanId } = await bucket.scan(230, '2026-01-01')
  await scans.untilSaid(scanId, 'started')
  const { memory } = agent.told()
  const halted = async () => {
    const { requests } = agent.told()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return requests > 20 && agent.told().requests === requests
  }
  await expect.poll(halted, { timeout: 60_000 }).toBe(true)
  expect(agent.told().requests).toBeLessThan(count / 1_000)
  expect((await nats.jsm.streams.info(streams.scans)).state.bytes).toBeLessThanOrEqual(500_000)
  expect(agent.told().memory - memory).toBeLessThan(120 * 1024 * 1024)
  const ingest = await ingesting()
  await commit(scanId)
  expect(differences(await snapshotOf(bucket.volumeId, '2026-01-01'))).toEqual(none)
  await ingest.stop()
})

test('a cancelled listing ends at once, and its task is over', async () => {
  const bucket = await bucketOf(24, 'cancelled')
  const agent = startObjectAgent(24, { pageMs: 50 })
  const { scanId } = await bucket.scan(240, '2026-01-01')
  await expect.poll(() => agent.told().requests, { timeout: 60_000 }).toBeGreaterThan(8)
  await bucket.cancel(240)
  await scans.untilSaid(scanId, 'cancelled')
  await expect.poll(bucket.waiting).toBe(0)
  expect(scans.events(scanId).map(({ type }) => type)).not.toContain('completed')
})
