import { beforeAll, expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { currentScopeOf, limitsKey } from '#server/platform/callers/scope.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { asUser, testUser } from '#server/testing.ts'
import { taskRoutes } from '#server/workers/tasks/index.ts'
import { beginJob } from './changeJob.ts'
import { queueScan, queueTagging } from './decide.ts'
import { jobRoutes } from './routes.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [
  ...taskRoutes(platform, handlersFor(platform)),
  ...jobRoutes({ db, config: { ...platform.config, bundles: [] } }),
])
const [films, vault, mixed] = [
  await newVolume(platform, 'Films'),
  await newVolume(platform, 'Vaultword'),
  await newVolume(platform, 'Mixedword'),
]
const { id } = await testUser(db, ['ROLE_PROJECT_MANAGER'])
const limit = (storages: number[]) =>
  db
    .insertInto('limits')
    .values({
      userId: id,
      everything: false,
      projects: [],
      storages,
      folders: JSON.stringify([{ storageId: mixed, path: '/a' }]),
    })
    .onConflict((on) => on.column('userId').doUpdateSet({ storages }))
    .execute()
await limit([films])
const ask = asUser(app, await openSession(db, id, '127.0.0.1'))
const at = new Date('2026-01-01').toISOString()
const scanOf = (jobId: number, volumes: number[]) =>
  queueScan(
    jobId,
    volumes.map((volumeId, n) => ({ volumeId, serverId: 1, taskId: jobId * 10 + n, scanId: n })),
    true,
    at,
  )
const tagging = (jobId: number, tag: string) =>
  queueTagging(jobId, jobId * 10, { tags: [tag], remove: false, isDirectory: false, filters: noFilters }, at)
const key = async () => limitsKey(id, await currentScopeOf(db, id))
const seen = { films: 1, own: 2 }
const hidden = { vault: 3, both: 4, mixed: 5, others: 6, before: 7 }
const admin = { name: 'Adminword', address: null, id: 999 }

beforeAll(async () => {
  const limits = await key()
  await db.transaction().execute(async (trx) => {
    await beginJob(trx, seen.films, admin, scanOf(seen.films, [films]))
    await beginJob(trx, seen.own, { ...system, id }, tagging(seen.own, 'mine'), limits)
    await beginJob(trx, hidden.vault, admin, scanOf(hidden.vault, [vault]))
    await beginJob(trx, hidden.both, admin, scanOf(hidden.both, [films, vault]))
    await beginJob(trx, hidden.mixed, admin, scanOf(hidden.mixed, [mixed]))
    await beginJob(trx, hidden.others, admin, tagging(hidden.others, 'Otherword'))
    await beginJob(trx, hidden.before, { name: 'user', address: null, id }, tagging(hidden.before, 'Beforeword'))
  })
})
const list = async (query = '') => {
  const { text, body } = await ask('GET', `/api/v1/jobs${query}`).expect(200)
  expect(text).not.toMatch(/vaultword|mixedword|otherword|beforeword|adminword/i)
  return [body.elements.map(({ id }: { id: number }) => id), body.total]
}

test('a limited user sees the jobs counted within the limits, and scans of storages that are visible as a whole', async () => {
  expect(await list()).toEqual([[2, 1], 2])
  expect(await list('?size=1&page=2')).toEqual([[1], 2])
  expect(await list('?types=TAG_SEARCH_RESULT')).toEqual([[2], 1])
  expect(await list('?types=SCAN_ON_PREMISES&agents=1&statuses=NEW')).toEqual([[1], 1])
  for (const job of Object.values(seen)) {
    await ask('GET', `/api/v1/jobs/${job}`).expect(200)
    await ask('GET', `/api/v1/jobs/${job}/tasks`).expect(200)
  }
})

test('other jobs are the same 404 as those that never existed, also one that the user launched before the limits', async () => {
  const never = async (path: string) => (await ask('GET', path).expect(404)).text.replaceAll('9999', '?')
  for (const job of Object.values(hidden))
    for (const path of [`/api/v1/jobs/${job}`, `/api/v1/jobs/${job}/tasks`])
      expect((await ask('GET', path).expect(404)).text.replaceAll(String(job), '?')).toBe(
        await never(path.replace(String(job), '9999')),
      )
  await db.updateTable('jobs').set({ type: 'ICONIK_UPLOAD' }).where('id', '=', hidden.others).execute()
  expect((await ask('GET', '/api/v1/jobs/types').expect(200)).text).not.toContain('ICONIK')
})

test('only own jobs are cancelled, one or all', async () => {
  const cancel = (job: number) => ask('PUT', `/api/v1/jobs/${job}`, { status: 'CANCELLED' })
  await cancel(seen.films).expect(403)
  await cancel(hidden.vault).expect(404)
  expect((await ask('PUT', '/api/v1/jobs/cancel').expect(200)).body).toEqual({ cancelled: 1 })
  const open = await db.selectFrom('jobs').select('id').where('status', '=', 'NEW').orderBy('id').execute()
  expect(open.map((job) => job.id)).toEqual([1, 3, 4, 5, 6, 7])
})

test('after a change of the limits, jobs counted within earlier ones are gone', async () => {
  await limit([vault])
  expect(await list('?types=TAG_SEARCH_RESULT')).toEqual([[], 0])
  await limit([films])
  expect(await list()).toEqual([[2, 1], 2])
  await limit([films, vault])
  const { body } = await ask('GET', '/api/v1/jobs').expect(200)
  expect(body.elements.map((job: { id: number }) => job.id)).toEqual([4, 3, 1])
})
