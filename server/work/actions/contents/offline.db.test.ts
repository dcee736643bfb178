import { expect, test } from 'vitest'
import type { ActionPlan } from '#events/actions/plans.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { noFilters } from '#events/search/filters.ts'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes } from '../index.ts'
import { orderOf } from '../run/actionTasks.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, actionRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const newVolume = { name: 'Films', path: '/mnt/films', type: 'crawl.files', agentId: 1 }
const { id: volumeId } = await db.insertInto('volumes').values(newVolume).returning('id').executeTakeFirstOrThrow()

const reason = 'Not on disk. Reading the file would recall it.'
const onDisk = { size: 500_000, allocatedSize: 500_224 }
const migrated = { size: 500_000, allocatedSize: 0 }
const stub = { size: 500_000, allocatedSize: 4_096 }
let inode = 10

/** Scans files of the same name, each in a folder of its own; `facts` are those that the agent announces. */
async function scan(day: string, files: Partial<EntryRow>[], facts: object = {}): Promise<void> {
  const folders = files.map((_, n) => ({ path: `/${n}`, isDirectory: true, inode: ++inode }))
  const scanId = await scanFolders(platform, { volumeId, indexingDate: day }, [
    { path: '', entries: folders },
    ...files.map((file, n) => ({ path: `/${n}`, entries: [{ path: `/${n}/a.mov`, inode: ++inode, ...file }] })),
  ])
  const announced = JSON.stringify(facts) as never
  await db.updateTable('scans').set({ announced }).where('id', '=', scanId).execute()
}

async function plan(options: object = {}): Promise<ActionPlan> {
  const payload = { isDirectory: false, filters: { ...noFilters, search: 'a.mov' }, ...options }
  return (await ask('POST', '/api/v1/actions/plans', { jobType: 'COMPARE_SEARCH_RESULT', payload }).expect(200)).body
}

/** Starts a plan, and returns the order that its agent gets. */
async function orderFor({ id }: ActionPlan) {
  const { jobId } = (await ask('POST', `/api/v1/actions/plans/${id}/start`).expect(200)).body
  const job = (await findJob(db, jobId))!
  return (await orderOf(platform, job, job.tasks[0]!, 1)).system
}

test('files that are not on disk are left out, and read on request only', async () => {
  await scan('2026-01-02', [onDisk, onDisk, migrated, stub])
  const limited = await plan()
  expect(limited).toMatchObject({ files: 2, leftOut: [{ reason, files: 2, bytes: 1_000_000 }] })
  expect(await orderFor(limited)).toMatchObject({ onDiskOnly: true })
  const all = await plan({ includesOffline: true })
  expect(all).toMatchObject({ files: 4, leftOut: [] })
  expect(await orderFor(all)).not.toHaveProperty('onDiskOnly')
  const paths = { jobType: 'COMPARE_FILES', payload: { dataIntellPaths: ['/mnt/films'], includesOffline: true } }
  expect((await ask('POST', '/api/v1/actions/plans', paths).expect(200)).body).toMatchObject({ files: 4 })
})

test('a storage of stubs alone is left out, unless its server reports the blocks of no file', async () => {
  await scan('2026-01-03', [migrated, migrated, stub])
  expect(await plan()).toMatchObject({ files: 0, leftOut: [{ reason, files: 3 }] })
  await scan('2026-01-04', [migrated, migrated, stub], { hidesBlocks: true })
  const shown = await plan()
  expect(shown).toMatchObject({ files: 3, leftOut: [] })
  expect(await orderFor(shown)).not.toHaveProperty('onDiskOnly')
  await scan('2026-01-05', [migrated, migrated, stub])
  expect(await plan()).toMatchObject({ files: 0 })
})

test('a few bytes without blocks are on disk, with their metadata, and so is a file of unknown space', async () => {
  const small = { size: 600, allocatedSize: 0 }
  await scan('2026-01-06', [small, small])
  expect(await plan()).toMatchObject({ files: 2, leftOut: [] })
  const unknown = { size: 9_000, allocatedSize: -1 }
  await scan('2026-01-07', [unknown, unknown])
  expect(await plan()).toMatchObject({ files: 2, leftOut: [] })
})
