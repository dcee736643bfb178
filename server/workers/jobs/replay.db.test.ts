import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { evolveVersion, type JobEvent } from '#events/jobs/events.ts'
import { keptJobs, keptLog, keptVersion } from '#events/jobs/testing/keptLog.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { beginJob, changeJob } from './changeJob.ts'
import { endTask, failTask, queueScan, startTask } from './decide.ts'
import { projectJobs } from './project.ts'
import { findJob } from './readJobs.ts'
import { compareJobs, rebuildOutdatedJobs, replayJobs } from './replay.ts'

const db = await testDb()
const at = '2026-01-01T00:00:00.000Z'

const queue = (jobId: number) =>
  db.transaction().execute((trx) => {
    const planned = [1, 2].map((i) => ({ volumeId: i, serverId: 1, taskId: jobId * 10 + i, scanId: jobId * 10 + i }))
    return beginJob(trx, jobId, system, queueScan(jobId, planned, true, at))
  })

test('a replay of random histories finds the projections as they are', async () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let jobId = 1; jobId <= 20; jobId++) {
    await queue(jobId)
    for (let step = 0; step < random(8); step++) {
      const taskId = jobId * 10 + 1 + random(2)
      const moves: ((job: Parameters<typeof startTask>[0]) => JobEvent[])[] = [
        (job) => startTask(job, taskId, step + 1, at),
        (job) => endTask(job, taskId, { files: step, unreadable: random(2) }, at),
        (job) => failTask(job, taskId, "it's gone", at),
      ]
      await db.transaction().execute((trx) => changeJob(trx, jobId, system, moves[random(3)]!))
    }
  }
  const { jobs, differences } = await compareJobs(db)
  expect(jobs).toBe(20)
  expect(differences).toEqual([])
})

test('a projection that was tampered with is found and rebuilt', async () => {
  await db.updateTable('jobs').set({ status: 'CANCELLED', updatedAt: at }).where('id', '=', 3).execute()
  await db.deleteFrom('tasks').where('jobId', '=', 4).execute()
  await db.updateTable('tasks').set({ serverId: 77, payload: '{}' }).where('jobId', '=', 5).execute()
  expect((await compareJobs(db)).differences.map(({ jobId }) => jobId)).toEqual([3, 4, 5])
  expect(await replayJobs(db, { write: true })).toMatchObject({ jobs: 20, differences: 3 })
  expect((await compareJobs(db)).differences).toEqual([])
})

test('in pieces of any size the same is found, and of one stream its own job alone', async () => {
  await db.updateTable('tasks').set({ attempt: 9 }).where('jobId', 'in', [1, 10, 20]).execute()
  await db.updateTable('jobs').set({ version: 99 }).where('id', '=', 7).execute()
  await sql`INSERT INTO jobs SELECT 99, 1, evolve_version, type, status, server_id, created_at, started_at, updated_at,
    payload, result FROM jobs WHERE id = 1`.execute(db)
  const found = async (pageSize: number) => {
    const differing: number[] = []
    const replayed = await replayJobs(db, { write: false, pageSize, differs: ({ jobId }) => differing.push(jobId) })
    return { ...replayed, differing }
  }
  const whole = await found(10_000)
  expect(whole.differing.toSorted((a, b) => a - b)).toEqual([1, 7, 10, 20, 99])
  for (const pageSize of [1, 2, 3, 7]) expect(await found(pageSize)).toEqual(whole)
  expect(await replayJobs(db, { write: true, stream: 'job-10' })).toMatchObject({ jobs: 1, differences: 1 })
  expect((await found(5)).differing.toSorted((a, b) => a - b)).toEqual([1, 7, 20, 99])
  await replayJobs(db, { write: true, pageSize: 4 })
  expect((await compareJobs(db)).differences).toEqual([])
})

test('a projection folded by another version of evolve is rebuilt at start', async () => {
  expect(await rebuildOutdatedJobs(db)).toBe(false)
  await sql`UPDATE jobs SET evolve_version = 0, status = 'NEW' WHERE id = 5`.execute(db)
  expect(await rebuildOutdatedJobs(db)).toBe(true)
  expect((await compareJobs(db)).differences).toEqual([])
})

test('projections of a newer version are left to it', async () => {
  await sql`UPDATE jobs SET evolve_version = ${evolveVersion + 1} WHERE id = 5`.execute(db)
  expect(await rebuildOutdatedJobs(db)).toBe(false)
  await sql`UPDATE jobs SET evolve_version = ${evolveVersion} WHERE id = 5`.execute(db)
})

test('a log and projections that an older version wrote are brought up to date at start', async () => {
  await sql`TRUNCATE events, jobs, tasks`.execute(db)
  const rows = keptLog().map(({ position: _, data, ...event }) => ({
    ...event,
    data: JSON.stringify(data),
    evolveVersion: keptVersion,
  }))
  await db.insertInto('events').values(rows).execute()
  await db.transaction().execute((trx) =>
    projectJobs(
      trx,
      keptJobs().map((job) => ({ job, version: rows.filter(({ stream }) => stream === `job-${job.id}`).length })),
    ),
  )
  await db.updateTable('jobs').set({ evolveVersion: keptVersion }).execute()
  expect(await rebuildOutdatedJobs(db)).toBe(evolveVersion !== keptVersion)
  expect(await compareJobs(db)).toMatchObject({ jobs: 19, differences: [] })
  for (const job of keptJobs()) expect(await findJob(db, job.id)).toEqual(job)
})
