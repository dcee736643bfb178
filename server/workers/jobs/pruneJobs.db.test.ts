import { beforeAll, expect, test } from 'vitest'
import { trustClock } from '#server/platform/clock.ts'
import { readStream, system } from '#server/platform/log/eventLog.ts'
import { openLog } from '#server/platform/logger.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { beginJob, changeJob } from './changeJob.ts'
import { cancelJob, queueScan } from './decide.ts'
import { type JobsPruned, pruneJobs, startRetention } from './pruneJobs.ts'
import { compareJobs } from './replay.ts'

const db = await testDb()
const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString()

beforeAll(async () => {
  for (let jobId = 1; jobId <= 6; jobId++)
    await db.transaction().execute(async (trx) => {
      const planned = [{ volumeId: 1, serverId: 1, taskId: jobId, scanId: jobId }]
      await beginJob(trx, jobId, system, queueScan(jobId, planned, true, day(jobId)))
      if (jobId !== 2) await changeJob(trx, jobId, system, (job) => cancelJob(job, 'ana', day(jobId + 10)))
    })
})
const left = async () => (await db.selectFrom('jobs').select('id').orderBy('id').execute()).map(({ id }) => id)
const pruned = async () => (await readStream<JobsPruned>(db, 'job-retention')).map(({ event }) => event)

test('jobs that ended before a moment go with their events, and one event sums them up', async () => {
  expect(await pruneJobs(db, new Date(day(14)))).toBe(2)
  expect(await left()).toEqual([2, 4, 5, 6])
  expect(await pruned()).toMatchObject([
    {
      jobs: 2,
      events: 6,
      counts: [{ type: 'SCAN_ON_PREMISES', status: 'CANCELLED', jobs: 2 }],
      ids: { from: 1, to: 3 },
      times: { from: day(1), to: day(13) },
    },
  ])
  expect(await readStream(db, 'job-1')).toEqual([])
  expect((await compareJobs(db)).differences).toEqual([])
})

test('events that a follower of the log has not received are kept', async () => {
  const [first] = await readStream(db, 'job-5')
  await db.insertInto('followers').values({ name: 'slow', position: first!.position }).execute()
  expect(await pruneJobs(db, new Date(day(30)))).toBe(1)
  expect(await left()).toEqual([2, 5, 6])
  await db.deleteFrom('followers').execute()
})

test('an open job is kept at any age, and without jobs to prune nothing is reported', async () => {
  expect(await pruneJobs(db, new Date(day(30)))).toBe(2)
  expect(await left()).toEqual([2])
  const before = await pruned()
  expect(await pruneJobs(db, new Date(day(30)))).toBe(0)
  expect(await pruned()).toEqual(before)
})

test('the server prunes what ended as many days ago as are set, and tells browsers', async () => {
  const endedAt = new Date(Date.now() - 10 * 24 * 60 * 60_000).toISOString()
  await db.transaction().execute(async (trx) => {
    await trustClock(trx)
    await beginJob(trx, 7, system, queueScan(7, [{ volumeId: 1, serverId: 1, taskId: 7, scanId: 7 }], true, endedAt))
    await changeJob(trx, 7, system, (job) => cancelJob(job, 'ana', endedAt))
  })
  const sent: unknown[] = []
  const start = () => startRetention({ db, live: (event) => void sent.push(event), log: openLog(undefined) }).stop()
  await start()
  await db.insertInto('configurations').values({ name: 'jobRetention', value: '11' }).execute()
  await start()
  expect([await left(), sent]).toEqual([[2, 7], []])
  await db.updateTable('configurations').set({ value: '9' }).execute()
  await start()
  expect([await left(), sent]).toEqual([[2], [{ type: 'changed', topics: ['jobs'] }]])
})
