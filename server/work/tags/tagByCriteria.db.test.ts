import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { startServerWorker, taskRoutes } from '#server/workers/tasks/index.ts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { WrittenCriteria } from '#events/search/criteria.ts'
import type { Job } from '#events/jobs/events.ts'
import { createApp } from '#server/app.ts'
import { compareJobs, findJob, jobRoutes } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { tagRoutes, tagTasks } from './index.ts'
import { queueTagging } from './queueTagResults.ts'

const platform = await testPlatform()
const jobCalls = [...jobRoutes(platform), ...taskRoutes(platform, handlersFor(platform))]
const app = createApp(platform, [...tagRoutes(platform), ...searchRoutes(platform), ...jobCalls])
const ask = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))
const volumes: number[] = []

const scan = (volumeId: number, indexingDate: string, names: string[]) =>
  scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [{ path: '/films', isDirectory: true }] },
    {
      path: '/films',
      entries: names.map((name, i) => ({ path: `/films/${name}`, size: 1000 * (i + 1), inode: i + 7 })),
    },
  ])
beforeAll(async () => {
  for (const name of ['One', 'Two']) volumes.push(await newVolume(platform, name))
  for (const volumeId of volumes) await scan(volumeId, '2026-01-01', ['a.mov', 'b.mov', 'c.txt', 'gone.mov'])
  for (const volumeId of volumes) await scan(volumeId, '2026-01-02', ['a.mov', 'b.mov', 'c.txt'])
})

const order = (query: string, criteria: object) => ask('POST', `/api/v1/search/tags?everything=true&${query}`, criteria)
/** Adds or removes tags on results, and returns the finished job. */
async function tag(query: string, criteria: object): Promise<Job> {
  const jobs = startServerWorker(platform, 'TAG_ENTRIES', tagTasks(platform), 300)
  onTestFinished(() => jobs.stop())
  const { jobId } = (await order(query, criteria).expect(200)).body
  await expect.poll(async () => (await jobOf(jobId)).status).toBe('SUCCESS')
  return jobOf(jobId)
}
const jobOf = (id: number) => findJob(platform.db, id) as Promise<Job>
/** The paths that have a tag on a day, with their volumes. */
async function tagged(tag: string, query = ''): Promise<string[]> {
  const criteria = [{ customTags: { value: tag } }]
  const { body } = await ask('POST', `/api/v1/search?sort=path&size=100&${query}`, criteria).expect(200)
  const entries = body.elements as { volumeId: number; path: string }[]
  return entries.map(({ volumeId, path }) => `${volumes.indexOf(volumeId)}:${path}`).sort()
}
const nested = () => ({
  searchOperator: 'OR',
  searchQueries: [{ id: 'of the form', name: { value: 'C.TXT' } }],
  searchQueryNodes: [
    {
      searchOperator: 'AND',
      searchQueries: [{ size: { min: 2000 } }, { volumeId: { values: [volumes[0]] }, excludeFilter: true }],
      searchQueryNodes: [],
    },
  ],
})

test('all that meets criteria is tagged in the background, and loses the tag again', async () => {
  const job = await tag('tagToApply=kept&tagToApply=second', nested())
  expect(await tagged('kept')).toEqual(['0:/films/c.txt', '1:/films/b.mov', '1:/films/c.txt'])
  expect(await tagged('second')).toEqual(await tagged('kept'))
  expect(job.tasks).toMatchObject([{ type: 'TAG_ENTRIES', result: { tagged: 3, toTag: 3 } }])
  const { body } = await ask('GET', `/api/v1/jobs/${job.id}`).expect(200)
  expect(body.payload).toEqual({
    tags: ['kept', 'second'],
    remove: false,
    isDirectory: false,
    criteria: nested(),
  })
  await tag('tagToApply=kept&deleteTag=true', [{ name: { value: 'c.txt' }, excludeFilter: true }])
  expect(await tagged('kept')).toEqual(['0:/films/c.txt', '1:/films/c.txt'])
  await tag('tagToApply=kept&deleteTag=true', [])
  expect([await tagged('kept'), (await tagged('second')).length]).toEqual([[], 3])
  expect((await compareJobs(platform.db)).differences).toEqual([])
})

test('files and folders are tagged separately, with any criteria', async () => {
  const either = {
    searchOperator: 'OR',
    searchQueries: [{ isDirectory: { value: true } }, { name: { value: 'a.mov' } }],
  }
  await tag('tagToApply=folder&isDirectory=true', either)
  await tag('tagToApply=file', either)
  expect(await tagged('folder')).toEqual(['0:/films', '1:/films'])
  expect(await tagged('file')).toEqual(['0:/films/a.mov', '1:/films/a.mov'])
})

test('entries listed as deleted are tagged with the rest if the criteria include them', async () => {
  const both = { searchOperator: 'OR', searchQueries: [true, false].map((value) => ({ isDeleted: { value } })) }
  const all = { searchQueries: [{ name: { wildcard: '*.mov' } }], searchQueryNodes: [both] }
  expect((await tag('tagToApply=ever', all)).tasks).toMatchObject([{ result: { tagged: 6, toTag: 6 } }])
  expect((await tagged('ever')).length).toBe(4)
  const { body } = await ask('GET', '/api/files/search?tag=ever&showOnlyDeletedFiles=true').expect(200)
  expect(body.elements.map(({ name }: { name: string }) => name)).toEqual(['gone.mov', 'gone.mov'])
})

test('tags are added and removed on the newest date alone; an older one is read-only', async () => {
  await tag('tagToApply=dated&indexingDate=2026-01-02', [{ name: { value: 'a.mov' } }])
  expect([await tagged('dated', 'indexingDate=2026-01-01'), (await tagged('dated')).length]).toEqual([[], 2])
  for (const [flag, kind] of Object.entries({ false: 'file', true: 'folder' })) {
    const { status, body } = await order(`tagToApply=past&indexingDate=2026-01-01&isDirectory=${flag}`, [])
    const message = `Unable to update a ${kind} from a previous snapshot as it is read only`
    expect([status, body]).toEqual([409, { message, code: 'index-write' }])
  }
})

test('a job whose criteria the store refuses fails at once, with the reason', async () => {
  const jobs = startServerWorker(platform, 'TAG_ENTRIES', tagTasks(platform), 300)
  onTestFinished(() => jobs.stop())
  const criteria = WrittenCriteria.parse([{ name: { regex: '(' } }])
  const jobId = await queueTagging(platform, { tags: ['x'], remove: false, isDirectory: false, criteria }, system)
  await expect.poll(async () => (await jobOf(jobId)).status).toBe('FAILURE')
  expect((await jobOf(jobId)).tasks).toMatchObject([{ attempt: 1, result: { reason: 'Validation errors' } }])
})
