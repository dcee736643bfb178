import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { ScheduleDraft } from '#events/schedules/calls.ts'
import { compareJobs } from '#server/workers/jobs/index.ts'
import { openLog } from '#server/platform/logger.ts'
import { testDatabaseUrl, testDb } from '#server/platform/testing/stores.ts'
import { testUser } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { change } from '#server/platform/log/change.ts'
import { createSchedule } from './changeSchedule.ts'
import { runDue } from './index.ts'
import { isLong } from '#server/platform/testing/cases.ts'

process.env['TZ'] = 'UTC'
const [db, databaseUrl] = [await testDb(), await testDatabaseUrl()]
const admin = { ...(await testUser(db, ['ROLE_ADMIN'])), roles: ['ROLE_ADMIN' as const], address: '127.0.0.1' }
await db.insertInto('configurations').values({ name: 'jobQueuedLength', value: '100000' }).execute()
await db.updateTable('users').set({ email: 'admin@example.com' }).execute()

const platform = { db, log: await openLog(undefined), live: () => {} }

const program = join(import.meta.dirname, 'testing/schedulerProcess.ts')
function startScheduler(now: string): { kill(): Promise<void> } {
  const child: ChildProcess = spawn(process.execPath, [program, databaseUrl, now], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(kill)
  return { kill }
}

const everyHour = { cron: '0 0 * * * ?', paused: false }
const make = (draft: object) =>
  change(platform, admin, [], (change) =>
    createSchedule(change, ScheduleDraft.parse({ ...everyHour, ...draft }), new Date('2026-05-01T09:30:00Z')),
  )
const count = async (table: 'scheduleRuns' | 'jobs' | 'scans' | 'deliveries') =>
  (
    await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows

/** Runs all schedules that are still due, and returns the number that remain. */
async function finish(now: Date): Promise<number> {
  await runDue(platform, now)
  return (await db.selectFrom('schedules').select('id').where('nextDueAt', '<=', now).execute()).length
}

/** A scan that found the storage nearly full. */
async function fill(volumeId: number): Promise<void> {
  const scan = { volumeId, jobId: 0, taskId: 0, agentId: 1, indexingDate: '2026-05-01', state: 'done' as const }
  const capacity = { capacityTotal: 100, capacityUsed: 90, capacityFree: 10 }
  const { id } = await db
    .insertInto('scans')
    .values({ ...scan, ...capacity })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ committedScan: id }).where('id', '=', volumeId).execute()
}

async function expectOneJobForEachRun(): Promise<void> {
  const runs = await db.selectFrom('scheduleRuns').select(['jobId', 'outcome']).execute()
  const jobs = runs.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]))
  expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['started', 'skipped', 'notified']))
  expect([new Set(jobs).size, await count('jobs')]).toEqual([jobs.length, jobs.length])
  const told = db
    .selectFrom('events')
    .select('position')
    .where('stream', 'like', 'schedule-%')
    .where('type', 'like', 'Schedule%')
  expect(await told.execute()).toHaveLength(runs.length)
}

test('two schedulers that are killed at random moments start each due time once and lose none', async () => {
  const scanned = 30
  const alerts = 6
  const volumes: number[] = []
  for (let i = 0; i < scanned; i++)
    volumes.push(await createFileStorage(db, { name: `Volume ${i}`, path: `/volume${i}` }))
  const at = (i: number) => volumes[i % scanned]!
  for (let i = 0; i < scanned; i++) {
    // Neighboring schedules scan the same storages, each in another order.
    const wanted = i % 2 === 0 ? [at(i), at(i + 1)] : [at(i + 1), at(i)]
    await make({ name: `Scan ${i}`, jobGroup: 'SCANNER', jobClass: 'SCAN_VOLUMES', payload: { volumes: wanted } })
  }
  await fill(volumes[0]!)
  const payload = { threshold: 80, resourceIds: [volumes[0]], repeatHours: 0 }
  for (let i = 0; i < alerts; i++)
    await make({ name: `Alert ${i}`, jobGroup: 'ALERT', jobClass: 'VOLUME_SPACE_ALERT', payload })

  const scansBefore = await count('scans')
  const killedAfter = isLong ? [1, 5, 13, 20, 29, 35] : [1, 29]
  for (const [round, runs] of killedAfter.entries()) {
    const now = `2026-05-01T${10 + round}:00:00Z`
    const schedulers = [startScheduler(now), startScheduler(now)]
    await expect.poll(() => count('scheduleRuns'), { interval: 1 }).toBeGreaterThanOrEqual(round * 36 + runs)
    for (const scheduler of schedulers) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
      await scheduler.kill()
    }
    // Locks of killed processes are released when Postgres notices that their connections are gone.
    await expect.poll(() => finish(new Date(now))).toBe(0)
    expect(await count('scheduleRuns')).toBe((round + 1) * (scanned + alerts))
    expect((await count('scans')) - scansBefore).toBe((round + 1) * scanned)
    expect(await count('deliveries')).toBe((round + 1) * alerts)
    await db.updateTable('scans').set({ state: 'done' }).execute()
  }
  await expectOneJobForEachRun()
  expect((await compareJobs(db)).differences).toEqual([])
})

test('a scheduler that dies between the job and what is recorded of it began none', async () => {
  const volume = await createFileStorage(db, { name: 'Films', path: '/films' })
  const payload = { volumes: [volume] }
  const id = await make({ name: 'Films', jobGroup: 'SCANNER', jobClass: 'SCAN_VOLUMES', payload })
  const jobs = await count('jobs')
  await sql`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'`.execute(db)
  await sql`CREATE TRIGGER die BEFORE INSERT ON schedule_runs FOR EACH ROW EXECUTE FUNCTION die()`.execute(db)
  const now = new Date('2026-05-01T10:00:00Z')
  expect([await runDue(platform, now), await count('jobs')]).toEqual([0, jobs])
  await sql`DROP TRIGGER die ON schedule_runs`.execute(db)
  expect([await runDue(platform, now), await count('jobs')]).toEqual([1, jobs + 1])
  const runs = await db.selectFrom('scheduleRuns').select('outcome').where('scheduleId', '=', id).execute()
  expect(runs).toEqual([{ outcome: 'started' }])
})
