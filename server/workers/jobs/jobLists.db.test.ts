import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { taskRoutes } from '#server/workers/tasks/index.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { beginJob, changeJob } from './changeJob.ts'
import { failTask, queueScan, queueTagging, startTask } from './decide.ts'
import { jobRows } from './readJobs.ts'
import { jobRoutes } from './routes.ts'
import { noFilters } from '#events/search/filters.ts'

const platform = await testPlatform()
const { db } = platform
const routes = jobRoutes(platform)
const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

beforeAll(async () => {
  const tagging = { tags: ['raw'], remove: false, isDirectory: false, filters: noFilters }
  await db.transaction().execute(async (trx) => {
    for (let jobId = 1; jobId <= 30; jobId++) {
      const planned = [1, 2, 3].map((n) => ({ volumeId: n, serverId: 1, taskId: jobId * 10 + n, scanId: n }))
      const events =
        jobId % 3 === 0
          ? queueTagging(jobId, jobId * 10, tagging, at(jobId))
          : queueScan(jobId, planned, true, at(jobId))
      await beginJob(trx, jobId, system, events)
    }
  })
})
const list = async (query = '') => (await ask('GET', `/api/v1/jobs${query}`).expect(200)).body
const ids = (body: { elements: { id: number }[] }) => body.elements.map(({ id }) => id)

test('jobs are returned in pages of 25, the newest first', async () => {
  const first = await list()
  expect(first).toMatchObject({ page: 1, size: 25, total: 30, sort: 'id', direction: 'desc' })
  expect(ids(first)).toEqual(Array.from({ length: 25 }, (_, i) => 30 - i))
  expect(ids(await list('?page=2'))).toEqual([5, 4, 3, 2, 1])
  expect(first.elements[0]).toMatchObject({ version: 2, agentName: expect.any(String), status: 'NEW' })
})

test('jobs of one type or several are listed, and an unknown type is refused', async () => {
  expect((await list('?types=TAG_SEARCH_RESULT')).total).toBe(10)
  expect((await list('?types=TAG_SEARCH_RESULT&types=SCAN_ON_PREMISES')).total).toBe(30)
  expect((await list('?types=GENERATE_REPORT')).elements).toEqual([])
  const { status, body } = await ask('GET', '/api/v1/jobs?types=NONE')
  expect([status, body.subErrors[0].field]).toEqual([400, expect.stringContaining('types')])
})

test('jobs are filtered by status, agent and time', async () => {
  expect((await list('?statuses=NEW&statuses=RUNNING')).total).toBe(30)
  expect((await list('?statuses=FAILURE')).total).toBe(0)
  expect((await list('?agents=1&types=TAG_SEARCH_RESULT')).total).toBe(10)
  expect((await list('?agents=2')).total).toBe(0)
  expect(ids(await list(`?createdFrom=${at(10)}&createdTo=${at(12)}`))).toEqual([11, 10])
  expect((await list('?lastHours=24')).total).toBe(0)
  expect((await list(`?lastHours=${24 * 366}`)).total).toBeLessThanOrEqual(30)
  for (const query of ['statuses=DONE', 'agents=one', 'createdFrom=yesterday', 'lastHours=0'])
    await ask('GET', `/api/v1/jobs?${query}`).expect(400)
})

test.each(['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'])(
  'jobs are sorted by %s, those that are equal by their number',
  async (sort) => {
    const up = ids(await list(`?sort=${sort}&direction=asc&size=30`))
    const down = ids(await list(`?sort=${sort},desc&size=30`))
    expect(down).toEqual(up.toReversed())
  },
)

test('a sort by anything else names those there are', async () => {
  const { status, body } = await ask('GET', '/api/v1/jobs?sort=payload')
  expect([status, body.subErrors[0]]).toMatchObject([
    400,
    { field: 'sort', message: expect.stringContaining('serverId') },
  ])
})

test('a job is returned with its tasks, and its tasks page by page', async () => {
  const { body } = await ask('GET', '/api/v1/jobs/4').expect(200)
  expect(body).toMatchObject({ id: 4, version: 4, tasks: [{ id: 41 }, { id: 42 }, { id: 43 }] })
  const page = (await ask('GET', '/api/v1/jobs/4/tasks?size=2&sort=id&direction=desc').expect(200)).body
  expect([ids(page), page.total]).toEqual([[43, 42], 3])
  expect((await ask('GET', '/api/v1/jobs/999/tasks')).status).toBe(404)
  expect((await ask('PUT', '/api/v1/jobs/999', { status: 'CANCELLED' })).status).toBe(404)
})

test('users who may start jobs list, open and cancel their own; other jobs look like missing ones', async () => {
  const ana = await testUser(db, ['ROLE_PROJECT_MANAGER'])
  const asAna = asUser(
    createApp(platform, [...routes, ...taskRoutes(platform, handlersFor(platform))]),
    await openSession(db, ana.id, '127.0.0.1'),
  )
  const tagging = { tags: ['own'], remove: false, isDirectory: false, filters: noFilters }
  await db.transaction().execute(async (trx) => {
    for (const jobId of [41, 42]) {
      await beginJob(trx, jobId, { ...ana, address: null }, queueTagging(jobId, jobId * 10, tagging, at(jobId)))
    }
  })
  expect((await asAna('GET', '/api/v1/jobs').expect(200)).body).toMatchObject({
    total: 2,
    elements: [
      { id: 42, userId: ana.id },
      { id: 41, userId: ana.id },
    ],
  })
  for (const path of ['41', '41/tasks']) await asAna('GET', `/api/v1/jobs/${path}`).expect(200)
  for (const path of ['4', '4/tasks', '999']) await asAna('GET', `/api/v1/jobs/${path}`).expect(404)
  await asAna('PUT', '/api/v1/jobs/4', { status: 'CANCELLED' }).expect(404)
  expect((await asAna('PUT', '/api/v1/jobs/41', { status: 'CANCELLED' }).expect(200)).body.status).toBe('CANCELLED')
  expect((await asAna('PUT', '/api/v1/jobs/cancel?status=WAITING').expect(200)).body).toEqual({ cancelled: 1 })
  expect((await list()).elements.filter(({ status }: { status: string }) => status === 'CANCELLED')).toMatchObject([
    { id: 42 },
    { id: 41 },
  ])
  const stranger = asUser(createApp(platform, routes), await testSession(db, []))
  await stranger('GET', '/api/v1/jobs').expect(403)
})

test('types of bundles without a license are not listed, unless there is a job of them', async () => {
  const unlicensed = jobRoutes({ ...platform, config: { ...platform.config, bundles: [] } })
  const askUnlicensed = asUser(createApp(platform, unlicensed), await testSession(db, ['ROLE_ADMIN']))
  const types = async () => (await askUnlicensed('GET', '/api/v1/jobs/types').expect(200)).body
  const possible = ['SCAN_ON_PREMISES', 'SCAN_CLOUD', 'SCAN_DELL_POWER_SCALE', 'TAG_SEARCH_RESULT']
  const media = ['READ_MEDIA_FILES', 'READ_MEDIA_SEARCH_RESULT']
  const others = ['COMPARE_FILES', 'COMPARE_SEARCH_RESULT', ...media, 'GENERATE_REPORT']
  expect(await types()).toEqual([...possible, ...others])
  await sql`INSERT INTO jobs (id, version, evolve_version, type, status, server_id, created_at, updated_at, payload)
    VALUES (900, 1, 1, 'SODA_TRANSFER', 'SUCCESS', 1, '2025-01-01', '2025-01-01', '{}')`.execute(db)
  expect(await types()).toEqual([...possible, 'SODA_TRANSFER', ...others])
  await sql`DELETE FROM jobs WHERE id = 900`.execute(db)
})

test('a job names its storages, failed ones first, and a row of a list the first ten', async () => {
  await sql`INSERT INTO volumes (name, path) SELECT 'Storage ' || n, '/storage/' || n FROM generate_series(1, 12) AS n`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`SELECT id FROM volumes WHERE name LIKE 'Storage %' ORDER BY id`.execute(db)
  const planned = rows.map(({ id }, n) => ({ volumeId: id, serverId: 1, taskId: 800 + n, scanId: 800 + n }))
  await db.transaction().execute(async (trx) => {
    await beginJob(trx, 80, system, queueScan(80, planned, true, at(0)))
    await changeJob(trx, 80, system, (job) => startTask(job, 811, 1, at(1)))
    await changeJob(trx, 80, system, (job) => failTask(job, 811, 'not mounted', at(2)))
  })
  const [row] = await jobRows(db, [80])
  expect([row?.storageCount, row?.storages.length, row?.storages[0]?.name]).toEqual([12, 10, 'Storage 12'])
  const { body } = await ask('GET', '/api/v1/jobs/80').expect(200)
  expect(body.storages.map(({ name }: { name: string }) => name)).toEqual([
    'Storage 12',
    ...Array.from({ length: 11 }, (_, n) => `Storage ${n + 1}`),
  ])
  await sql`DELETE FROM tasks WHERE job_id = 80`.execute(db)
  await sql`DELETE FROM jobs WHERE id = 80`.execute(db)
})

test('rows are read by their numbers, without those of deleted jobs', async () => {
  expect((await jobRows(db, [7, 5, 999])).map(({ id }) => id)).toEqual([5, 7])
  expect(await jobRows(db, [])).toEqual([])
})

test.each(['id', 'type', 'serverId', 'createdAt', 'startedAt', 'updatedAt', 'status'])(
  'among many jobs the page by %s is read from an index',
  async (sort) => {
    const column = sort.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)
    await many()
    const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT * FROM jobs
      ORDER BY ${sql.ref(column)} DESC, id DESC LIMIT 25`.execute(db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan/)
  },
)

let made: Promise<unknown> | undefined
/** Twenty thousand more jobs, only in the projection. */
const many = () =>
  (made ??= sql`INSERT INTO jobs (id, version, evolve_version, type, status, server_id, created_at, updated_at, payload)
    SELECT 1000 + n, 1, 1, 'SCAN_ON_PREMISES', 'SUCCESS', 1, now(), now(), '{}' FROM generate_series(1, 20000) AS n`
    .execute(db)
    .then(() => sql`ANALYZE jobs`.execute(db)))
