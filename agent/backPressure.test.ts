import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { batchLimits } from '#events/scans/batches.ts'
import { streams } from '#events/subjects.ts'
import { ensureStreams } from '#server/platform/nats/nats.ts'
import { testFolder, testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, isListed, pathOf, type Row, totals } from './testing/decodeRows.ts'
import { find, totalsOfFind } from './testing/find.ts'
import { takeScans } from './testing/sentScans.ts'
import { serverSide } from './testing/serverSide.ts'
import { startAgent } from './testing/startAgent.ts'
import { orderOf } from './testing/walked.ts'

const nats = await testNats()
const natsServer = await testNatsServer()
// Holds any batch, but not all of the scans below: an agent halts mid-scan until batches are taken.
await ensureStreams(nats, { scanBytes: batchLimits.packed + 100_000 })
const scans = await takeScans(nats)
/** Its entries don't fit into the stream: their names are long and random, so they can't be compressed. */
const root = testFolder()
for (let folder = 0; folder < 120; folder++) {
  const path = join(root, longName())
  mkdirSync(path)
  const file = join(path, longName())
  writeFileSync(file, path)
  // Creating links takes a fraction of the time of files.
  for (let link = 1; link < 100; link++) linkSync(file, join(path, longName()))
}
const expected = totalsOfFind(find(root, '-xdev'))

function longName(): string {
  return randomBytes(186).toString('base64url')
}

type Server = Awaited<ReturnType<typeof serverSide>>
const streamed = async () => (await nats.jsm.streams.info(streams.scans)).state

/** Waits until an agent's scan halts because the stream refuses the next batch. */
async function untilHalted(server: Server): Promise<void> {
  await server.untilAsked(1)
  await expect.poll(async () => (await streamed()).bytes).toBeGreaterThan(400_000)
}

async function nextReconnect(): Promise<void> {
  for await (const { type } of nats.connection.status()) if (type === 'reconnect') return
}

/**
 * The rows that a resumed scan keeps of an earlier attempt, and the folders to list again, as the server computes them.
 */
function resumable(rows: Row[]): { kept: Row[]; pending: string[] } {
  const below = new Map<string, number>()
  for (const row of rows.filter(isEntry)) below.set(row.parent_path, (below.get(row.parent_path) ?? 0) + 1)
  const ends = new Map(rows.filter(isListed).map((row) => [pathOf(row), Number(row.children)]))
  const seen = new Set(rows.filter(isEntry).map(pathOf))
  const whole = new Map<string, boolean>()
  /** True if the folder and everything above it were listed completely, with all entries. */
  const isWhole = (path: string): boolean => {
    const known = whole.get(path)
    if (known !== undefined) return known
    const here = seen.has(path) && ends.get(path) === (below.get(`${path}/`) ?? 0)
    const is = here && (path === '' || isWhole(path.slice(0, path.lastIndexOf('/'))))
    whole.set(path, is)
    return is
  }
  const kept = rows.filter((row) => {
    if (!isEntry(row)) return isWhole(pathOf(row))
    return pathOf(row) === '' ? isWhole('') : isWhole(row.parent_path.slice(0, -1))
  })
  const pending = kept.filter((row) => isEntry(row) && row.is_directory === '1' && !isWhole(pathOf(row))).map(pathOf)
  return { kept, pending: isWhole('') ? pending : [''] }
}

test('a stream that is full and drained slowly loses nothing', async () => {
  const server = await serverSide(nats, 1)
  server.answer()
  startAgent(natsServer.url, 1)
  await server.queue(10, orderOf(root, { scanId: 100 }))
  await untilHalted(server)
  expect(await scans.untilSaid(100, 'progressed')).toMatchObject({ progress: { entries: expect.any(Number) } })
  const taking = await scans.takeBatches()
  await scans.untilComplete(100)
  await taking.close()
  expect(totals(scans.rows(100))).toEqual(expected)
  expect(contradictions(scans.rows(100))).toEqual([])
  expect(scans.duplicates(100)).toEqual([])
})

test('a scan resumes where the killed agent stopped, and has each entry once', async () => {
  const server = await serverSide(nats, 2)
  server.answer()
  const first = startAgent(natsServer.url, 2)
  await server.queue(20, orderOf(root, { scanId: 200 }))
  await untilHalted(server)
  first.child.kill('SIGKILL')
  await first.ended
  const taking = await scans.takeBatches()
  await expect.poll(async () => (await streamed()).messages).toBe(0)
  const { kept, pending } = resumable(scans.rows(200))
  await server.queue(20, orderOf(root, { scanId: 200, attempt: 2, pending }))
  startAgent(natsServer.url, 2)
  await scans.untilComplete(200, 2)
  await taking.close()
  const rows = [...kept, ...scans.rows(200).filter(({ attempt }) => attempt === 2)]
  expect(totals(rows)).toEqual(expected)
  expect(contradictions(rows)).toEqual([])
  expect(new Set(server.requests.map(({ run }) => run)).size).toBe(2)
})

test('killing and restarting NATS mid-scan loses and repeats nothing', async () => {
  const server = await serverSide(nats, 3)
  server.answer()
  startAgent(natsServer.url, 3)
  await server.queue(30, orderOf(root, { scanId: 300 }))
  await untilHalted(server)
  await natsServer.kill()
  const reconnected = nextReconnect()
  await natsServer.start()
  await reconnected
  const taking = await scans.takeBatches()
  await scans.untilComplete(300)
  await server.queue(31, orderOf(import.meta.dirname, { scanId: 301 }))
  await scans.untilComplete(301)
  await taking.close()
  expect(totals(scans.rows(300))).toEqual(expected)
  expect(contradictions(scans.rows(300))).toEqual([])
  expect(server.requests.map(({ taskId }) => taskId)).toEqual([30, 31])
})

test('a cancelled scan ends immediately, even if its batches do not fit, and its task is over', async () => {
  const server = await serverSide(nats, 4)
  server.answer()
  startAgent(natsServer.url, 4)
  await server.queue(40, orderOf(root, { scanId: 400 }))
  await untilHalted(server)
  await server.cancel(40)
  const taking = await scans.takeBatches()
  await scans.untilSaid(400, 'cancelled')
  await expect.poll(server.waiting).toBe(0)
  await taking.close()
  expect(scans.events(400).map(({ type }) => type)).not.toContain('completed')
  expect(server.requests).toHaveLength(1)
})

test('a stopped agent ends mid-scan and resumes the task after its next start', async () => {
  const server = await serverSide(nats, 5)
  server.answer()
  const first = startAgent(natsServer.url, 5)
  await server.queue(50, orderOf(root, { scanId: 500 }), orderOf(root, { scanId: 500, attempt: 2 }))
  await untilHalted(server)
  first.child.kill('SIGTERM')
  await first.ended
  expect(first.child.exitCode).toBe(0)
  startAgent(natsServer.url, 5)
  await server.untilAsked(2)
  const taking = await scans.takeBatches()
  await scans.untilComplete(500, 2)
  await taking.close()
  expect(totals(scans.rows(500).filter(({ attempt }) => attempt === 2))).toEqual(expected)
})

test('a scan ends with its server even while its batches do not fit', async () => {
  const server = await serverSide(nats, 6)
  server.answer()
  const { child, ended } = startAgent(natsServer.url, 6)
  await server.queue(60, orderOf(root, { scanId: 600 }))
  await untilHalted(server)
  child.disconnect()
  await ended
  expect(child.exitCode).toBe(0)
})
