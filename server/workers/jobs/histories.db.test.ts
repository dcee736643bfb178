import { jobIdOfStream, streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { endedStatuses } from '#events/jobs/states.ts'
import { type Job, type JobEvent, type JobStatus, evolve, isOpen, isEventAllowed } from '#events/jobs/events.ts'
import { type Trx, readStream, system } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { beginJob, changeJob } from './changeJob.ts'
import { cancelAll, controlJob, type WantedStatus } from '#server/workers/tasks/controlJob.ts'
import type { TaskHandlers } from '#server/workers/tasks/index.ts'
import * as decide from './decide.ts'
import { nextNumber } from './nextNumber.ts'
import { type JobsPruned, pruneJobs } from './pruneJobs.ts'
import { type Difference, compareJobs, rebuildOutdatedJobs, replayJobs } from './replay.ts'

const db = await testDb()
const handlers = { SCAN_VOLUMES: {}, ACT_ON_FILES: {}, TAG_ENTRIES: {}, RUN_REPORT: {} } as TaskHandlers
const platform = { db }

/** Points at which a transaction fails: at a statement of one of these tables, or after all writes. */
const places = ['events', 'jobs', 'tasks', 'end', 'connection'] as const
type Place = (typeof places)[number]

beforeAll(async () => {
  await sql`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('test.breaks', true) = TG_TABLE_NAME THEN RAISE 'broken off at %', TG_TABLE_NAME; END IF;
    RETURN NULL; END $$`.execute(db)
  for (const table of ['events', 'jobs', 'tasks'])
    await sql`CREATE TRIGGER break_off AFTER INSERT OR UPDATE OR DELETE ON ${sql.table(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION break_off()`.execute(db)
})

/** Runs work in a transaction that may fail at some point. */
const transaction = (breaks: Place | undefined, work: (trx: Trx) => Promise<unknown>): Promise<unknown> =>
  db.transaction().execute(async (trx) => {
    await sql`SELECT set_config('test.breaks', ${breaks ?? ''}, true)`.execute(trx)
    const done = await work(trx)
    if (breaks === 'end') throw new Error('broken off at the end')
    if (breaks === 'connection') await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(trx)
    return done
  })

/** A store whose transactions fail at that point. */
const breaking = (breaks: Place | undefined) =>
  ({
    transaction: () => ({ execute: (work: (trx: Trx) => Promise<unknown>) => transaction(breaks, work) }),
  }) as unknown as Db

/** Deterministic random numbers for a seed. */
function numbers(seed: number) {
  let state = (seed % 2_147_483_646) + 1
  const below = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit
  return { below, one: <T>(of: readonly T[]): T => of[below(of.length)]! }
}
type Numbers = ReturnType<typeof numbers>

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const epoch = Date.UTC(2026, 0, 1)
let moments = 0
/** Each event is a minute after the previous one. */
const now = (): string => new Date(epoch + 60_000 * ++moments).toISOString()

async function queue(trx: Trx, random: Numbers): Promise<void> {
  const jobId = await nextNumber(trx, 'job_ids')
  const at = now()
  const planned = []
  for (let n = 0; n <= random.below(4); n++)
    planned.push({ volumeId: n + 1, serverId: 1, taskId: await nextNumber(trx, 'task_ids'), scanId: n })
  await beginJob(trx, jobId, system, decide.queueScan(jobId, planned, true, at))
}

/** An event of an agent or the server for a task of the job. */
function happening(random: Numbers): (job: Job) => JobEvent[] {
  const [at, which, result] = [now(), random.below(5), { files: random.below(9), unreadable: random.below(2) }]
  const kind = random.below(9)
  return (job) => {
    const { id, attempt } = job.tasks[which % job.tasks.length]!
    const lost = { taskId: id, attempt: attempt - random.below(2), reason: 'silent' }
    const all = job.tasks.map((task) => task.id)
    return [
      () => decide.dispatchTasks(job, all, at),
      () => decide.startTask(job, id, attempt + 1, at),
      () => decide.startTask(job, id, attempt + 1, at),
      () => decide.progressTask(job, id, result, at),
      () => decide.beginCommit(job, id, at),
      () => decide.endTask(job, id, result, at),
      () => decide.failTask(job, id, "it's gone", at),
      () => decide.loseTask(job, lost, at),
      () => decide.giveUpTask(job, id, 'died ten times', at),
    ][kind]!()
  }
}

const jobIds = async () => (await db.selectFrom('jobs').select('id').orderBy('id').execute()).map(({ id }) => id)
const wanted: WantedStatus[] = ['CANCELLED', 'WAITING', 'AVAILABLE', 'WAITING', 'AVAILABLE']

/** Runs one command; failed and refused commands have no effect. */
async function command(random: Numbers): Promise<unknown> {
  const known = await jobIds()
  const breaks = random.below(3) === 0 ? random.one(places) : undefined
  const [jobId, kind] = [known.length > 0 ? random.one(known) : undefined, random.below(40)]
  if (jobId === undefined || kind < 5) return transaction(breaks, (trx) => queue(trx, random))
  if (kind === 5) return pruneJobs(breaking(breaks), new Date(epoch + 60_000 * (moments - random.below(60))))
  if (kind === 6)
    return cancelAll(platform, handlers, { status: random.one(['WAITING', 'RUNNING', undefined]), by: system })
  if (kind < 14)
    return controlJob({ ...platform, db: breaking(breaks) }, handlers, jobId, {
      wanted: random.one(wanted),
      by: system,
    })
  return transaction(breaks, (trx) => changeJob(trx, jobId, system, happening(random)))
}

let brokenOff = 0
function checkReason(error: unknown): void {
  if (/broken off|terminating connection|Connection terminated/.test(String(error))) brokenOff += 1
  else if (!/has already ended|can't be|no job|jobs waiting/.test(String(error))) throw error
}

test(`a replay finds the same jobs after any events, interruptions and conflicts (SEED=${seed})`, async () => {
  const random = numbers(seed)
  const differences: Difference[] = []
  for (let step = 1; step <= 400; step++) {
    // Replicas that act at the same time.
    const meeting = Array.from({ length: 1 + random.below(3) }, () => command(random))
    for (const outcome of await Promise.allSettled(meeting))
      if (outcome.status === 'rejected') checkReason(outcome.reason)
    if (step % 50 === 0) differences.push(...(await compareJobs(db)).differences)
  }
  // Once more, since every call before may have been interrupted or too early.
  await transaction(undefined, (trx) => queue(trx, random))
  const last = (await jobIds()).at(-1)!
  await transaction(undefined, (trx) => changeJob(trx, last, system, (job) => decide.cancelJob(job, 'someone', now())))
  expect(await pruneJobs(db, new Date(epoch + 60_000 * moments + 1))).toBeGreaterThan(0)
  expect([...differences, ...(await compareJobs(db)).differences]).toEqual([])
  expect(brokenOff).toBeGreaterThan(0)
})

test('each stream has its versions without gaps, and nothing in it that may not happen', async () => {
  const seen = new Set<JobStatus>()
  for (const jobId of await jobIds()) {
    const events = await readStream<JobEvent>(db, streamNames.job(jobId))
    expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1))
    let job = evolve(undefined, events[0]!.event)
    for (const { event } of events.slice(1)) {
      expect([event, isEventAllowed(job, event), isOpen(job)]).toEqual([event, true, true])
      job = evolve(job, event)
      seen.add(job.status)
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['AVAILABLE', 'WAITING', 'RUNNING']))
})

test('pruned jobs are summed up, and removed as a whole', async () => {
  const began = await nextNumberOfAll()
  const summaries = await readStream<JobsPruned & { at: string }>(db, 'job-retention')
  const pruned = summaries.reduce((sum, { event }) => sum + event.jobs, 0)
  expect(pruned).toBeGreaterThan(0)
  for (const { event } of summaries) {
    expect(event.counts.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(event.jobs)
    for (const { status } of event.counts) expect(endedStatuses).toContain(status)
    expect(event.events).toBeGreaterThanOrEqual(event.jobs * 3)
  }
  const { rows } = await sql<{ stream: string }>`SELECT DISTINCT stream FROM events`.execute(db)
  const left = rows.map(({ stream }) => jobIdOfStream(stream)).filter((id) => id !== undefined)
  expect(left.sort((a, b) => a - b)).toEqual(await jobIds())
  expect(pruned + left.length).toBeLessThanOrEqual(began)
})
const nextNumberOfAll = () => db.transaction().execute((trx) => nextNumber(trx, 'job_ids'))

test('rebuilt projections are the same', async () => {
  await sql`UPDATE jobs SET evolve_version = 0, status = 'NEW' WHERE id IN (SELECT min(id) FROM jobs)`.execute(db)
  expect(await rebuildOutdatedJobs(db)).toBe(true)
  expect((await replayJobs(db, { write: false })).differences).toBe(0)
})
