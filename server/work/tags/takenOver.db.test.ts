import { startServerWorker } from '#server/workers/tasks/index.ts'
import { sql as postgres } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { tagRoutes, tagTasks } from './index.ts'
import { changing } from './testing/changing.ts'

const platform = await testPlatform()
const app = createApp(platform, [...tagRoutes(platform), ...searchRoutes(platform)])
const ask = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))
beforeAll(async () => {
  for (const name of ['One', 'Two']) {
    const volumeId = await newVolume(platform, name)
    await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries: [{ path: '/a' }] }])
  }
})

const order = async (query: string): Promise<number> =>
  (await ask('POST', `/api/v1/files/search/tags?everything=true&${query}`).expect(200)).body.jobId
const jobOf = (jobId: number) => findJob(platform.db, jobId)
const found = async (tag: string) => (await ask('GET', `/api/files/search?tag=${tag}`)).body.total

function serving(stores: Platform) {
  const jobs = startServerWorker(stores, 'TAG_ENTRIES', tagTasks(stores), 300)
  onTestFinished(() => jobs.stop())
  return jobs
}

/** A server that pauses once, before a tagging statement, and its actions after it continued. */
function pausedBefore(kind: 'CREATE TABLE' | 'INSERT INTO') {
  const [paused, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const later: string[] = []
  let isReleased = false
  const jobs = serving(
    changing(platform, async (_, statement) => {
      if (isReleased) return void later.push(statement)
      if (!statement.startsWith(kind)) return
      paused.resolve()
      await released.promise
    }),
  )
  const release = () => {
    isReleased = true
    released.resolve()
  }
  // Before it is stopped, even if the test fails: stopping waits for its work.
  onTestFinished(release)
  return { paused: paused.promise, later, release, stop: () => jobs.stop() }
}

/** Terminates the Postgres connection that holds the turn of such jobs, like a restart of Postgres. */
async function takeTurn(): Promise<void> {
  const holders = postgres<{ pid: number }>`
    SELECT pid FROM pg_locks JOIN pg_database ON oid = database
    WHERE locktype = 'advisory' AND objid = 7403010 AND datname = current_database()`
  for (const { pid } of (await holders.execute(platform.db)).rows)
    await postgres`SELECT pg_terminate_backend(${pid})`.execute(platform.db)
  await expect.poll(async () => (await holders.execute(platform.db)).rows).toEqual([])
}

test('a server whose turn was lost leaves a job to the one that took it over', async () => {
  const first = pausedBefore('CREATE TABLE')
  const jobId = await order('tagToApply=one')
  await first.paused
  await takeTurn()
  const second = pausedBefore('INSERT INTO')
  await second.paused
  first.release()
  await expect.poll(() => first.later.some((statement) => statement.startsWith('DROP TABLE'))).toBe(true)
  expect(first.later.filter((statement) => !statement.includes(' DROP ') && !statement.startsWith('DROP'))).toEqual([])
  expect(await jobOf(jobId)).toMatchObject({ status: 'RUNNING', tasks: [{ attempt: 2, lapses: 1 }] })
  second.release()
  await expect.poll(async () => (await jobOf(jobId))?.status).toBe('SUCCESS')
  expect((await jobOf(jobId))?.tasks).toMatchObject([{ attempt: 2, result: { tagged: 2, toTag: 2 } }])
  expect(await found('one')).toBe(2)
})

test('a server that stops hands its job over, which counts as no failure of it', async () => {
  const first = pausedBefore('CREATE TABLE')
  const jobId = await order('tagToApply=handed')
  await first.paused
  const stopped = first.stop()
  first.release()
  await stopped
  expect(await jobOf(jobId)).toMatchObject({ tasks: [{ status: 'AVAILABLE', attempt: 1, lapses: 0 }] })
  serving(platform)
  await expect.poll(async () => (await jobOf(jobId))?.status).toBe('SUCCESS')
  expect((await jobOf(jobId))?.tasks).toMatchObject([{ attempt: 2, lapses: 0, result: { tagged: 2 } }])
  expect(await found('handed')).toBe(2)
})
