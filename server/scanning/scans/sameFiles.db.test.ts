import { register } from 'prom-client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { FileTotals } from '#events/scans/entryRow.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { queueScans } from './index.ts'
import { startScanning } from './testing/startScanning.ts'
import { entry, simulatedAgent } from './testing/simulatedAgent.ts'

const platform = await testPlatform()
const { db, nats } = platform
await taskConsumers(nats, 1)
const { takeTask, send, complete } = simulatedAgent(nats)
const scans = await startScanning(platform)
afterAll(() => scans.stop())
beforeEach(() => db.deleteFrom('configurations').execute())

type Order = ScanOrder & { taskId: number }
let made = 0
const newVolume = () => createFileStorage(db, { name: `volume ${++made}`, path: '/somewhere' })

async function begin(volumeId: number): Promise<Order> {
  await queueScans(db, { ids: [volumeId], cloneIndex: true, by: system })
  return takeTask()
}
const scanOf = ({ scanId }: ScanOrder) =>
  db.selectFrom('scans').selectAll().where('id', '=', scanId).executeTakeFirstOrThrow()
const over = (order: ScanOrder) => expect.poll(async () => (await scanOf(order)).finishedAt !== null).toBe(true)

const folder = { ...entry, parentPath: '/', name: 'folder', inode: 4 }
const file = { ...entry, isDirectory: false, size: 5, inode: 3 }

type Rows = Parameters<Parameters<typeof blockOf>[0]>[0]
const addRoot = (rows: Rows) => {
  for (const row of [entry, { ...file, parentPath: '/', name: 'file' }, folder]) rows.add(row)
  rows.addListed(entry, 2)
}
const addFolder = (rows: Rows, more: Partial<typeof file> = {}) => {
  for (const name of ['one', 'two']) rows.add({ ...file, parentPath: '/folder/', name, ...more })
  rows.addListed(folder, 2)
}
/** A storage with a file, and a folder with two. */
const inFull = (more: Partial<typeof file> = {}) =>
  blockOf((rows) => {
    addRoot(rows)
    addFolder(rows, more)
  })
const totals: FileTotals = { files: 2, size: 10, allocatedSize: 0, accessed: 1_600_000_000, modified: 1_600_000_000 }
const tooMany: FileTotals = { ...totals, files: 3 }
/** The same storage without the files of the folder. */
const leftOut = (scan: number, said: FileTotals = totals) =>
  blockOf((rows) => {
    addRoot(rows)
    rows.addUnchanged(folder, scan, said)
    rows.addListed(folder, said.files)
  })

/** Runs a full scan, and remembers its files. */
async function scanFirst(volumeId: number): Promise<Order> {
  const order = await begin(volumeId)
  await send(order, inFull())
  await complete(order, 1, { baseline: `digests of ${order.scanId}` })
  await over(order)
  return order
}
const shown = (volumeId: number) => readRows(platform, volumeId, '2999-01-01')
const metric = async (name: string) => {
  const found = await register.getSingleMetric(`dataintell_${name}`)?.get()
  return found?.values.reduce((sum, { value }) => sum + value, 0) ?? 0
}
const refused = async () => {
  const rows = await db.selectFrom('refusedMessages').select('messages').execute()
  return rows.reduce((sum, { messages }) => sum + messages, 0)
}

test('an agent with the committed scan is informed of it, and entries that it leaves out stay unchanged', async () => {
  const volumeId = await newVolume()
  const first = await scanFirst(volumeId)
  expect(first.compareWith).toBeUndefined()
  const before = await shown(volumeId)
  const second = await begin(volumeId)
  expect(second.compareWith).toEqual({ scan: first.scanId, baseline: `digests of ${first.scanId}`, isCheck: false })
  await send(second, leftOut(first.scanId))
  await complete(second, 1)
  await over(second)
  expect(await scanOf(second)).toMatchObject({ state: 'done', attempt: 1, files: 3, folders: 1, bytes: 15 })
  expect(await shown(volumeId)).toEqual(before)
  expect((await begin(volumeId)).compareWith).toBeUndefined()
})

test('every Nth scan sends everything, and differences are counted', async () => {
  await db.insertInto('configurations').values({ name: 'scanCheckEvery', value: '3' }).execute()
  const volumeId = await newVolume()
  let last = await scanFirst(volumeId)
  for (let n = 0; n < 2; n++) {
    const order = await begin(volumeId)
    expect(order.compareWith).toMatchObject({ scan: last.scanId, isCheck: false })
    await send(order, leftOut(last.scanId))
    await complete(order, 1, { baseline: 'x' })
    await over(order)
    last = order
  }
  for (const [size, differing] of [
    [5, 0],
    [6, 1],
  ] as const) {
    const before = await metric('digest_differences_total')
    const order = await begin(volumeId)
    expect(order.compareWith).toMatchObject({ scan: last.scanId, isCheck: true })
    await db
      .insertInto('configurations')
      .values({ name: 'scanCheckEvery', value: '1' })
      .onConflict((on) => on.column('name').doUpdateSet({ value: '1' }))
      .execute()
    await send(order, inFull({ size }))
    await send(
      order,
      blockOf((rows) => rows.addUnchanged(folder, last.scanId)),
      2,
    )
    await complete(order, 2, { baseline: 'x' })
    await over(order)
    expect(await metric('digest_differences_total')).toBe(before + differing)
    expect(await scanOf(order)).toMatchObject({ state: 'done', bytes: 5 + 2 * size })
    last = order
  }
})

test('a folder with more omitted than known entries is listed again', async () => {
  const volumeId = await newVolume()
  const first = await scanFirst(volumeId)
  const before = [await shown(volumeId), await metric('unfit_marks_total')] as const
  const order = await begin(volumeId)
  await send(order, leftOut(first.scanId, tooMany))
  await complete(order, 1, { baseline: 'x' })
  const again = await takeTask()
  expect(again).toMatchObject({ scanId: order.scanId, attempt: 2, pending: ['/folder'] })
  expect(again.compareWith).toBeUndefined()
  expect(await metric('unfit_marks_total')).toBe(before[1] + 1)
  await send(again, blockOf(addFolder))
  await complete(again, 1)
  await over(again)
  expect(await scanOf(again)).toMatchObject({ state: 'done', attempt: 2, files: 3, bytes: 15 })
  expect(await shown(volumeId)).toEqual(before[0])
})

test('an agent that repeatedly leaves out wrong entries is refused, and its scan fails', async () => {
  const volumeId = await newVolume()
  const first = await scanFirst(volumeId)
  const before = await shown(volumeId)
  const order = await begin(volumeId)
  await send(order, leftOut(first.scanId, tooMany))
  await complete(order, 1)
  for (let attempt = 2; attempt <= 3; attempt++) {
    const count = await refused()
    const again = await takeTask()
    await send(again, leftOut(first.scanId))
    await complete(again, 1)
    await expect.poll(refused).toBe(count + 1)
  }
  await over(order)
  expect((await scanOf(order)).state).toBe('failed')
  expect((await findJob(db, (await scanOf(order)).jobId))?.status).toBe('FAILURE')
  expect(await shown(volumeId)).toEqual(before)
})

test('entries reported as unchanged are refused', async () => {
  const volumeId = await newVolume()
  const first = await scanFirst(volumeId)
  const order = await begin(volumeId)
  const count = await refused()
  await send(order, leftOut(first.scanId + 1), 1)
  await send(order, leftOut(0), 2)
  await send(
    order,
    blockOf((rows) => rows.addUnchanged(folder, first.scanId + 1)),
    3,
  )
  await expect.poll(refused).toBe(count + 3)
  await send(order, leftOut(first.scanId), 4)
  await complete(order, 4)
  const again = await takeTask()
  expect(again).toMatchObject({ attempt: 2, compareWith: { scan: first.scanId }, pending: [] })
  await complete(again, 0)
  await over(again)
  expect(await scanOf(again)).toMatchObject({ state: 'done', files: 3 })
})

test('a scan whose volume was forgotten meanwhile lists again what was left out', async () => {
  const volumeId = await newVolume()
  const first = await scanFirst(volumeId)
  const order = await begin(volumeId)
  await db.updateTable('volumes').set({ committedScan: null, generation: null }).where('id', '=', volumeId).execute()
  await send(order, leftOut(first.scanId))
  await complete(order, 1)
  const again = await takeTask()
  expect(again).toMatchObject({ scanId: order.scanId, attempt: 2, pending: ['/folder'] })
  expect(again.compareWith).toBeUndefined()
  await send(again, blockOf(addFolder))
  await complete(again, 1)
  await over(again)
  expect(await scanOf(again)).toMatchObject({ state: 'done', files: 3, bytes: 15 })
})
