import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { JobEvent } from '#events/jobs.ts'
import { system } from '#server/platform/eventLog.ts'
import { testDb } from '#server/platform/testing.ts'
import { beginJob, changeJob } from './changeJob.ts'
import { endTask, failTask, queueScan, startTask } from './decide.ts'
import { compareJobs, rebuildJobs, rebuildOutdatedJobs } from './replay.ts'

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
  expect((await compareJobs(db)).differences.map(({ jobId }) => jobId)).toEqual([3, 4])
  await rebuildJobs(db)
  expect((await compareJobs(db)).differences).toEqual([])
})

test('a projection folded by another version of evolve is rebuilt at start', async () => {
  expect(await rebuildOutdatedJobs(db)).toBe(false)
  await sql`UPDATE jobs SET evolve_version = 0, status = 'NEW' WHERE id = 5`.execute(db)
  expect(await rebuildOutdatedJobs(db)).toBe(true)
  expect((await compareJobs(db)).differences).toEqual([])
})
