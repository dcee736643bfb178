import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { startServerWorker, taskRoutes } from '#server/workers/tasks/index.ts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Job } from '#events/jobs/events.ts'
import { createApp } from '#server/app.ts'
import { cancelTask, changeJob, compareJobs, findJob, jobRoutes } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { tagRoutes, tagTasks } from './index.ts'
import { changing } from './testing/changing.ts'
import { dying } from './testing/dying.ts'
import { isLong } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const jobCalls = [...jobRoutes(platform), ...taskRoutes(platform, handlersFor(platform))]
const app = createApp(platform, [...tagRoutes(platform), ...searchRoutes(platform), ...jobCalls])
const ask = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))
const volumes: number[] = []

const scan = (volumeId: number, indexingDate: string) =>
  scanFolders(platform, { volumeId, indexingDate }, [
    {
      path: '',
      entries: [
        { path: '/films', isDirectory: true },
        { path: '/a.mov', size: 1000 },
      ],
    },
    { path: '/films', entries: [{ path: '/films/b.mov', inode: 7, size: 2000 }, { path: '/films/c.txt' }] },
  ])
beforeAll(async () => {
  for (const name of ['One', 'Two', 'Three']) volumes.push(await newVolume(platform, name))
  for (const volumeId of volumes) await scan(volumeId, '2026-01-01')
})

const order = async (query: string): Promise<number> =>
  (await ask('POST', `/api/v1/files/search/tags?everything=true&${query}`).expect(200)).body.jobId
const found = async (query: string, kind = 'files') => (await ask('GET', `/api/${kind}/search?${query}`)).body.total
const jobOf = (id: number) => findJob(platform.db, id) as Promise<Job>
const isOver = (jobId: number, status = 'SUCCESS') => expect.poll(async () => (await jobOf(jobId)).status).toBe(status)

/** A server that runs jobs until the test is over or it is stopped. */
function serving(serverPlatform: Platform = platform) {
  const jobs = startServerWorker(serverPlatform, 'TAG_ENTRIES', tagTasks(serverPlatform), 300)
  onTestFinished(() => jobs.stop())
  return jobs
}
const rows = () => platform.clickhouse.one<{ rows: number }>(sql`SELECT count() AS rows FROM entry_tags FINAL`)

/** A server that dies at one of its tagging statements, and whether it got that far. */
function dyingAt(mortal: number) {
  let statements = 0
  const { server, dead } = dying(platform, () => statements++ >= mortal)
  return { ...serving(server), dead }
}

test('all results of a search are tagged in the background, and the job tells how many', async () => {
  serving()
  const jobId = await order('extension=mov&minimumSize=1&minimumSizeUnit=KB&tagToApply=large&tagToApply=film')
  await isOver(jobId)
  expect(await found('tag=large')).toBe(3)
  expect(await found('tag=film')).toBe(3)
  expect(await found('tag=large&extension=txt')).toBe(0)
  const { body } = await ask('GET', `/api/v1/jobs/${jobId}`).expect(200)
  expect(body).toMatchObject({
    type: 'TAG_SEARCH_RESULT',
    status: 'SUCCESS',
    payload: {
      tags: ['large', 'film'],
      remove: false,
      isDirectory: false,
      filters: { extension: ['mov'], minimumSize: 1 },
    },
    tasks: [{ type: 'TAG_ENTRIES', attempt: 1, status: 'SUCCESS', result: { tagged: 3, toTag: 3 } }],
  })
  const { types } = await platform.db
    .selectFrom('events')
    .select(({ fn }) => fn.agg<string[]>('array_agg', ['type']).as('types'))
    .where('stream', '=', `job-${jobId}`)
    .executeTakeFirstOrThrow()
  expect([types[0], types[1], types[2], types.at(-1)]).toEqual([
    'JobQueued',
    'TaskQueued',
    'TaskStarted',
    'TaskSucceeded',
  ])
  expect((await compareJobs(platform.db)).differences).toEqual([])
})

test('folders are tagged apart from files, and a tag is taken from results alone', async () => {
  serving()
  await isOver(await order('tagToApply=all&isDirectory=true'))
  expect([await found('tag=all'), await found('tag=all', 'directories')]).toEqual([0, 3])
  await isOver(await order('tagToApply=all'))
  expect(await found('tag=all')).toBe(9)
  await isOver(await order(`tagToApply=all&deleteTag=true&volumeId=${volumes[0]}&search=*.mov`))
  expect([await found('tag=all'), await found('tag=all', 'directories')]).toEqual([7, 3])
})

test('tagging twice, or taking what is not there, writes nothing', async () => {
  serving()
  const before = await rows()
  await isOver(await order('tagToApply=all&volumeId=' + volumes[1]))
  await isOver(await order('tagToApply=nothing&deleteTag=true'))
  await isOver(await order('tagToApply=all&search=none.such'))
  expect(await rows()).toEqual(before)
})

test('tags of results are added and removed on the newest date alone', async () => {
  serving()
  await scan(volumes[0]!, '2026-01-02')
  await isOver(await order('tagToApply=second&extension=mov'))
  await scan(volumes[0]!, '2026-01-03')
  await isOver(await order('tagToApply=second&deleteTag=true&search=b.mov'))
  const on = async (day: string) => found(`tag=second&indexingDate=${day}`)
  expect([await on('2026-01-01'), await on('2026-01-02'), await on('2026-01-03')]).toEqual([0, 6, 3])
  await isOver(await order('tagToApply=second&deleteTag=false&search=b.mov'))
  expect([await on('2026-01-02'), await on('2026-01-03')]).toEqual([6, 6])
})

test('a server that dies at any statement leaves a job that the next one finishes', async () => {
  const [before, statementsEach] = [2, 3]
  const last = before + statementsEach * volumes.length - 1
  for (const died of isLong ? Array.from({ length: last + 1 }, (_, i) => i) : [2, last]) {
    const tag = `after ${died}`
    const dying = dyingAt(died)
    const jobId = await order(`tagToApply=${tag}`)
    await dying.dead
    await dying.stop()
    expect((await jobOf(jobId)).status).toBe('RUNNING')
    expect(await found(`tag=${tag}`)).toBe(Math.floor(Math.max(died - before, 0) / statementsEach) * 3)
    const next = serving()
    await isOver(jobId)
    expect((await jobOf(jobId)).tasks).toMatchObject([{ attempt: 2, result: { tagged: 9, toTag: 9 } }])
    expect(await found(`tag=${tag}`)).toBe(9)
    await next.stop()
  }
})

test('a search that depends on the tags given or taken is done with all of them, wherever a server dies', async () => {
  const statementsEach = 6
  const given = 'tagToApply=one&tagToApply=two&tagToApply=three'
  const counts = () => Promise.all(['one', 'two', 'three'].map((tag) => found(`tag=${tag}`)))
  const untagged = [{ customTags: { value: 'one' }, excludeFilter: true }]
  for (const died of isLong ? Array.from({ length: statementsEach + 1 }, (_, i) => i) : [4])
    for (const remove of [false, true]) {
      const dying = dyingAt(died)
      const { body } = remove
        ? await ask('POST', `/api/v1/files/search/tags?everything=true&tag=one&deleteTag=true&${given}`).expect(200)
        : await ask('POST', `/api/v1/search/tags?everything=true&${given}`, untagged).expect(200)
      await dying.dead
      await dying.stop()
      const next = serving()
      await isOver(body.jobId)
      expect(await counts()).toEqual(remove ? [0, 0, 0] : [9, 9, 9])
      await next.stop()
    }
})

test('a job that is cancelled stops after the storage at hand', async () => {
  let jobId = 0
  serving(
    changing(platform, async (done) => {
      if (done === 1)
        await platform.db
          .transaction()
          .execute((trx) =>
            changeJob(trx, jobId, system, (job) => cancelTask(job, job.tasks[0]!.id, 'ana', new Date().toISOString())),
          )
    }),
  )
  jobId = await order('tagToApply=cancelled')
  await isOver(jobId, 'CANCELLED')
  await expect.poll(() => found('tag=cancelled')).toBe(6)
  const next = await order('tagToApply=after')
  await isOver(next)
  expect([await found('tag=cancelled'), (await jobOf(jobId)).status]).toEqual([6, 'CANCELLED'])
})

test('a job that is paused stops after the storage at hand, and is done to its end when it is resumed', async () => {
  let jobId = 0
  const put = (status: string) => ask('PUT', `/api/v1/jobs/${jobId}`, { status }).expect(200)
  let stopped: Promise<void> | undefined
  const pauseAndStop = async (done: number) => {
    if (done !== 1) return
    await put('WAITING')
    stopped = pausing.stop()
  }
  const pausing = serving(changing(platform, pauseAndStop))
  jobId = await order('tagToApply=paused')
  await isOver(jobId, 'WAITING')
  await stopped
  serving()
  const next = await order('tagToApply=meanwhile')
  await isOver(next)
  expect([await found('tag=paused'), (await jobOf(jobId)).status]).toEqual([6, 'WAITING'])
  await put('AVAILABLE')
  await isOver(jobId)
  expect(await found('tag=paused')).toBe(9)
  expect((await jobOf(jobId)).tasks).toMatchObject([{ attempt: 2, tries: 1, lapses: 0 }])
})

test('a job that is interrupted repeatedly is abandoned', async () => {
  const jobId = await order('tagToApply=given up')
  serving(changing(platform, () => Promise.reject(new Error('The connection broke'))))
  await expect.poll(async () => (await jobOf(jobId)).status, { timeout: 60_000 }).toBe('SCANNER_ERROR')
  expect((await jobOf(jobId)).result).toEqual({ reason: expect.stringContaining('5 attempts') })
})

test('a job that is refused by the store fails with the reason', async () => {
  serving(changing(platform, () => Promise.reject(new Problem(503, 'It needs too much memory'))))
  const jobId = await order('tagToApply=never')
  await isOver(jobId, 'FAILURE')
  expect((await jobOf(jobId)).tasks).toMatchObject([{ result: { reason: 'It needs too much memory' } }])
  expect((await compareJobs(platform.db)).differences).toEqual([])
})

test('two servers share the jobs, and jobs that meet end one after another', async () => {
  serving()
  serving()
  const jobs = await Promise.all(
    Array.from({ length: 4 }, (_, i) => order(`tagToApply=shared&deleteTag=${i % 2 === 1}`)),
  )
  for (const jobId of jobs) await isOver(jobId)
  const { stream } = await platform.db
    .selectFrom('events')
    .select('stream')
    .where('type', '=', 'TaskStarted')
    .orderBy('position', 'desc')
    .executeTakeFirstOrThrow()
  const { payload } = await jobOf(Number(stream.slice('job-'.length)))
  expect(await found('tag=shared')).toBe('remove' in payload && payload.remove ? 0 : 9)
  const { tasks } = await platform.db
    .selectFrom('tasks')
    .select(({ fn }) => fn.agg<number[]>('array_agg', ['attempt']).as('tasks'))
    .where('jobId', 'in', jobs)
    .executeTakeFirstOrThrow()
  expect(tasks).toEqual(jobs.map(() => 1))
})
