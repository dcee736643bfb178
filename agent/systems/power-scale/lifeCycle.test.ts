import { expect, test } from 'vitest'
import { isEntry } from '../../testing/decodeRows.ts'
import { rowsOf } from '../testing.ts'
import { changeAtRandom, errorBody, fillTree, type PowerScaleSimulator } from './simulator/index.ts'
import {
  applyDelta,
  cluster,
  finish,
  linesOf,
  liveState,
  nothingSent,
  open,
  readParts,
  scan,
  type SentScan,
  stateOf,
} from './testing.ts'

const names = ({ snapshots }: PowerScaleSimulator) => snapshots.all().map(({ name }) => name)
const nameOf = (scanId: number) => `dataintell-01234567-1-${scanId}`
const isDelta = { order: { isDelta: true } }

test.each(['either', 'alone', 'withOptions'] as const)(
  'pages continue where "resume" is accepted: %s',
  async (resume) => {
    const simulator = await cluster({ switches: { resume } })
    fillTree(simulator.tree, 3_500)
    for (let i = 0; i < 2_500; i++) simulator.tree.add(`/ifs/data/file ${i}`)
    expect(linesOf(stateOf(await scan(simulator)))).toEqual(linesOf(liveState(simulator)))
    const refused = simulator.requests.filter(({ status }) => status === 400)
    expect(refused.length).toBeLessThanOrEqual(resume === 'alone' ? 8 : 0)
  },
)

test('a scan that was killed continues in another process, also after its tokens have expired', async () => {
  const simulator = await cluster({ switches: { tokenLife: 3_600 } })
  fillTree(simulator.tree, 3_500)
  for (let i = 0; i < 2_500; i++) simulator.tree.add(`/ifs/data/file ${i}`)
  const sent = nothingSent()
  let parts = ['']
  for (let kills = 0; kills < 3; kills++) {
    parts = await readParts(await open(simulator), sent, parts, 2)
    simulator.clock.advance(10_000)
  }
  expect(parts.length).toBeGreaterThan(0)
  const all = await finish(await open(simulator), sent, parts)
  expect(linesOf(stateOf(all))).toEqual(linesOf(liveState(simulator)))
  expect(names(simulator)).toEqual([nameOf(1)])
  expect(JSON.parse(all.baseline ?? '')).toMatchObject({ path: '/ifs/data', days: 7 })
})

test('a delta that was killed continues with the directories that moved in', async () => {
  const { simulator, first } = await scannedOnce()
  const { tree } = simulator
  tree.move('/ifs/other/in', '/ifs/data/in')
  tree.add('/ifs/data/in/new')
  const sent = nothingSent()
  const parts = await readParts(
    await open(simulator, { ...isDelta, scanId: 2, baseline: first.baseline }),
    sent,
    [''],
    1,
  )
  expect(parts).toHaveLength(1)
  const system = await open(simulator, { ...isDelta, scanId: 2, baseline: first.baseline })
  const all = await finish(system, sent, parts)
  expect(linesOf(applyDelta(stateOf(first), all))).toEqual(linesOf(liveState(simulator)))
  expect(simulator.changelists.all()).toEqual([])
  expect(JSON.parse(all.baseline ?? '')).toMatchObject({ days: 3 })
})

async function scannedOnce(order = {}): Promise<{ simulator: PowerScaleSimulator; first: SentScan }> {
  const simulator = await cluster()
  fillTree(simulator.tree, 300)
  simulator.tree.ensureDirectory('/ifs/other/in/deep')
  simulator.tree.add('/ifs/other/in/deep/file')
  simulator.clock.advance(60)
  const first = await scan(simulator, { order })
  simulator.clock.advance(60)
  return { simulator, first }
}

test('snapshots of killed scans are removed, others are kept', async () => {
  const { simulator, first } = await scannedOnce()
  await readParts(await open(simulator, { scanId: 2, baseline: first.baseline }), nothingSent(), [''], 1)
  simulator.snapshots.create({ name: 'dataintell-01234567-12-1', path: '/ifs/data' })
  simulator.snapshots.create({ name: 'daily', path: '/ifs/data' })
  await readParts(await open(simulator, { scanId: 3, baseline: first.baseline }), nothingSent(), [''], 1)
  expect(names(simulator)).toEqual([nameOf(1), 'dataintell-01234567-12-1', 'daily', nameOf(3)])
})

test('without days nothing is kept, and a delta is a full scan', async () => {
  const { simulator, first } = await scannedOnce({ fullSnapshotDays: 0 })
  expect(first.baseline).toBe(undefined)
  expect(names(simulator)).toEqual([])
  const sent = await scan(simulator, { order: { isDelta: true, fullSnapshotDays: 0 }, scanId: 2 })
  expect(sent).toMatchObject({ isDelta: false, baseline: undefined })
  expect(sent.note).toMatch('Full scan instead of a delta: the snapshots of full scans are not kept')
  expect(names(simulator)).toEqual([])
})

test('a full scan reports why it is not a delta', async () => {
  const { simulator, first } = await scannedOnce()
  const { switches, tree } = simulator
  let scanId = 1
  const noteOf = async (changes: object = {}, baseline = first.baseline) => {
    const sent = await scan(simulator, { order: { isDelta: true, ...changes }, scanId: ++scanId, baseline })
    expect(linesOf(stateOf(sent))).toEqual(linesOf(liveState(simulator)))
    return sent.note
  }
  expect(await noteOf({}, 'none')).toMatch('there is no earlier scan')
  expect(await noteOf()).toMatch('the snapshot of the last scan has expired or was deleted')
  const { baseline } = await scan(simulator, { scanId: ++scanId })
  expect(await noteOf({}, baseline?.replace(simulator.host, 'other'))).toMatch(
    'the host or the path of the storage changed',
  )
  const again = await scan(simulator, { scanId: ++scanId })
  switches.apiVersion = 7
  expect(await noteOf({}, again.baseline)).toMatch('OneFS 8.2.1 or later')
  // A release that does not tell its version, and has changelists in the older form.
  switches.hasLatest = false
  const older = await scan(simulator, { scanId: ++scanId })
  expect(await noteOf({}, older.baseline)).toMatch('OneFS 8.2.1 or later')
  Object.assign(switches, { apiVersion: 21, hasLatest: true })
  for (const jobOutcome of ['failed', 'cancelled_user'] as const) {
    switches.jobOutcome = jobOutcome
    tree.touch('/ifs/data')
    const base = await scan(simulator, { scanId: ++scanId })
    expect(await noteOf({}, base.baseline)).toMatch(`ended as ${jobOutcome}`)
  }
  switches.jobOutcome = 'succeeded'
  switches.isChangelistJobEnabled = false
  const base = await scan(simulator, { scanId: ++scanId })
  expect(await noteOf({}, base.baseline)).toMatch('create a list of changes')
})

test('a delta waits for a job that is paused, and accepts one that is no longer listed', async () => {
  const { simulator, first } = await scannedOnce()
  Object.assign(simulator.switches, { jobWait: 1, jobPhase: 2, jobPause: 5, finishedJobLife: 0, timeOfRequest: 3 })
  changeAtRandom(simulator.tree, (below) => 1 % below, 5)
  const sent = await scan(simulator, { ...isDelta, scanId: 2, baseline: first.baseline })
  expect(sent).toMatchObject({ isDelta: true, note: undefined })
  expect(linesOf(applyDelta(stateOf(first), sent))).toEqual(linesOf(liveState(simulator)))
})

test('a snapshot that is deleted during a scan ends it: nothing of it was deleted', async () => {
  const { simulator } = await scannedOnce()
  const system = await open(simulator, { scanId: 2 })
  const sent = nothingSent()
  const parts = await readParts(system, sent, [''], 2)
  for (const snapshot of simulator.snapshots.all()) simulator.snapshots.delete(snapshot)
  await expect(finish(system, sent, parts)).rejects.toThrow('was deleted during the scan')
  const later = await open(simulator, { scanId: 2 })
  await expect(finish(later, nothingSent(), parts)).rejects.toThrow('was deleted during the scan')
})

test('a directory that refuses is unreadable, and an ignored one is not listed', async () => {
  const { simulator } = await scannedOnce()
  simulator.requests.length = 0
  const body = errorBody('AEC_FORBIDDEN', 'Unable to open directory')
  simulator.faults.failNext(/^GET \/namespace.*reel%200\?/, 403, body)
  const sent = await scan(simulator, { scanId: 2, ignoredPaths: ['/show 0/reel 0/shot 1', '/kinds'] })
  const reason = 'The user scan is not allowed to list /ifs/data/show 0/reel 0 (GET /namespace/ifs/.snapshot/'
  expect(sent.unreadable).toHaveLength(1)
  expect(sent.unreadable[0]).toMatch(`/show 0/reel 0: ${reason}`)
  expect(sent.unreadable[0]).toMatch(/needs ISI_PRIV_NS_IFS_ACCESS\. OneFS says: Unable to open directory$/)
  await scan(simulator, { scanId: 3, ignoredPaths: ['/show 0/reel 0/shot 1'] })
  expect(simulator.matching(/GET .*shot%200/)).toHaveLength(1)
  expect(simulator.matching(/GET .*shot%201\?/)).toHaveLength(0)
})

test('a folder of a storage is scanned alone, with its own entry', async () => {
  const { simulator, first } = await scannedOnce()
  const sent = await scan(simulator, { scanId: 2, scannedPath: '/show 0/reel 0', ...isDelta })
  const part = [...liveState(simulator)].filter(([path]) => `${path}/`.startsWith('/show 0/reel 0/'))
  expect(linesOf(stateOf(sent))).toEqual(linesOf(new Map(part)))
  expect(sent.baseline).toBe(undefined)
  expect(names(simulator)).toEqual([nameOf(1)])
  expect((await scan(simulator, { scanId: 3, scannedPath: '/gone/there' })).entries).toEqual([])
  expect(first.baseline).not.toBe(undefined)
})

test('the capacity is the quota of the path, else the capacity of the cluster', async () => {
  const { simulator } = await scannedOnce()
  const system = await open(simulator, { scanId: 2 })
  const whole = { total: 400e12, free: 150e12, fileSystem: `OneFS ${simulator.host}` }
  expect(await system.capacity()).toMatchObject(whole)
  const usage = { logical: 300, physical: 500, inodes: 3 }
  simulator.quotas.push({ path: '/ifs/data', isContainer: true, hard: 1_000, isReady: true, usage })
  for (const quotaUsage of ['old', 'new'] as const) {
    simulator.switches.quotaUsage = quotaUsage
    expect(await system.capacity()).toMatchObject({ total: 1_000, used: 300, free: 700 })
  }
  simulator.quotas[0]!.isContainer = false
  expect(await system.capacity()).toMatchObject(whole)
  await system.close()
})

test('a directory that was made after the last scan and then moved in is listed', async () => {
  for (const movedAcrossRoot of ['directory', 'subtree'] as const) {
    const { simulator, first } = await scannedOnce()
    const { tree, clock, switches } = simulator
    switches.movedAcrossRoot = movedAcrossRoot
    tree.ensureDirectory('/ifs/other/later/deep')
    tree.add('/ifs/other/later/deep/file')
    clock.advance(60)
    tree.move('/ifs/other/later', '/ifs/data/later')
    tree.move('/ifs/data/show 0', '/ifs/other/show 0')
    const sent = await scan(simulator, { ...isDelta, scanId: 2, baseline: first.baseline })
    expect(sent.isDelta).toBe(true)
    expect(linesOf(applyDelta(stateOf(first), sent))).toEqual(linesOf(liveState(simulator)))
  }
})

test('a delta of 1,000 changes takes at most 40 requests', async () => {
  const simulator = await cluster()
  fillTree(simulator.tree, 20_000)
  simulator.clock.advance(60)
  const first = await scan(simulator)
  simulator.clock.advance(60)
  let seed = 1
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  changeAtRandom(simulator.tree, random, 1_000)
  simulator.requests.length = 0
  const system = await open(simulator, { ...isDelta, scanId: 2, baseline: first.baseline })
  const sent = await finish(system)
  expect(sent.isDelta).toBe(true)
  expect(linesOf(applyDelta(stateOf(first), sent))).toEqual(linesOf(liveState(simulator)))
  expect(simulator.requests.length).toBeLessThanOrEqual(40)
})

test('a scan runs as many requests at once as the user allows, and no more', async () => {
  const simulator = await cluster()
  fillTree(simulator.tree, 3_500)
  simulator.faults.latencyMs = 5
  const system = await open(simulator, { order: { threads: 3 } })
  if (system.listing !== 'pages') throw new Error('Not listed in pages')
  simulator.requests.length = 0
  const rows = await rowsOf(system.pages)
  expect(rows.filter(isEntry)).toHaveLength(liveState(simulator).size)
  expect(simulator.maxParallelRequests()).toBe(3)
})

test('a cluster that refuses more than three requests at once is listed whole, with few refusals', async () => {
  const simulator = await cluster()
  fillTree(simulator.tree, 10_000)
  Object.assign(simulator.faults, { latencyMs: 5, maxOpen: 3 })
  const system = await open(simulator, { order: { threads: 32 } })
  if (system.listing !== 'pages') throw new Error('Not listed in pages')
  const rows = await rowsOf(system.pages)
  expect(rows.filter(isEntry)).toHaveLength(liveState(simulator).size)
  expect(simulator.faults.refused).toBeGreaterThan(0)
  expect(simulator.faults.refused / simulator.requests.length).toBeLessThan(0.2)
})
