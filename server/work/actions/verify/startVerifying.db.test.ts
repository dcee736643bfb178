import { expect, test } from 'vitest'
import type { ActionRequest } from '#events/actions/actions.ts'
import type { JobEvent } from '#events/jobs/events.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { createApp } from '#server/app.ts'
import { changeJob, compareJobs, endTask, findJob, startTask, warnTask } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { actionRoutes } from '../index.ts'
import { storeOutcomes } from '../kit/files.ts'
import { verifyAfter } from './startVerifying.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const routes = [...actionRoutes(platform), ...sourceRoutes(platform)]
const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))
const storagePrice = await testPriceBook(db)

const login = { name: 'P5', username: 'ana', password: 'planted', url: 'http://p5:8000' }
const credentialsId = (await ask('POST', '/api/v1/archiwares/credentials', login).expect(200)).body.id as number
await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
const index = { indexId: 'Tapes', path: '/mnt', name: 'Tapes', serverId: 1, storagePrice }
await ask('POST', '/api/v1/archiwares', { ...index, archiwareP5Credential: { id: credentialsId } }).expect(200)
const idOf = async (name: string) =>
  (await db.selectFrom('volumes').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const [films, tapes] = [await idOf('Films'), await idOf('Tapes')]

/** Scans the folders of a volume; without a time, as one that started after a job that ended in this millisecond. */
async function scanAll(
  volumeId: number,
  folders: { path: string; entries: File[] }[],
  startedAt = new Date(Date.now() + 1),
) {
  const indexingDate = startedAt.toISOString().slice(0, 10)
  const scanId = await scanFolders(platform, { volumeId, indexingDate }, folders)
  await db.updateTable('scans').set({ startedAt }).where('id', '=', scanId).execute()
}

const scan = (volumeId: number, entries: File[], folder = '', startedAt?: Date) => {
  const above = folder ? [{ path: '', entries: [{ path: folder, isDirectory: true, inode: 99 }] }] : []
  return scanAll(volumeId, [...above, { path: folder, entries }], startedAt)
}

const files = (folder: string, ...names: string[]): File[] =>
  names.map((name) => ({ path: `${folder}/${name}`, size: 10, inode: name.charCodeAt(0) }))

const jobOf = async (jobId: number) => (await findJob(db, jobId)) ?? expect.unreachable()

/** A job that has processed all of its files; `failed` of them in vain. */
async function endedJob(request: ActionRequest, failed = 0): Promise<number> {
  const plan = (await ask('POST', '/api/v1/actions/plans', request).expect(200)).body
  const jobId = (await ask('POST', `/api/v1/actions/plans/${plan.id}/start`).expect(200)).body.jobId as number
  const { tasks } = await jobOf(jobId)
  const { id: taskId, payload } = tasks[0]!
  const result = { toDo: plan.files, done: plan.files - failed, failed }
  const outcomes = Array.from({ length: plan.files - failed }, (_, i) => ({
    position: i + 1,
    reference: '',
    reason: '',
  }))
  await storeOutcomes(clickhouse, payload as never, {
    taskId,
    attempt: 1,
    sequence: 1,
    outcomes: outcomes.map((each) => ({ ...each, state: 'done' })),
  })
  await db.transaction().execute(async (trx) => {
    await changeJob(trx, jobId, system, (job) => startTask(job, taskId, 1, new Date().toISOString()))
    await changeJob(trx, jobId, system, (job) =>
      (failed > 0 ? warnTask : endTask)(job, taskId, result, new Date().toISOString()),
    )
  })
  return jobId
}
const archive = (path: string, failed = 0) => {
  const options = { planId: '1', clientId: 'c', serverId: 1, meta: [], indexroot: '', deltaScanAfter: false }
  const payload = { ...options, credentialsId, dataIntellPaths: [path] }
  return endedJob({ jobType: 'ARCHIVE_ARCHIWARE_FILES', payload }, failed)
}
const restore = (path: string) => {
  const payload = { clientId: 'c', credentialsId, relocate: null, dataIntellPaths: [path] }
  return endedJob({ jobType: 'RESTORE_ARCHIWARE_FILES', payload })
}
async function seen(jobId: number) {
  const { status, result, updatedAt } = await jobOf(jobId)
  const found = (result as ActResult).found
  return { status, target: found?.target, storages: found?.storages, updatedAt }
}
/** The results of the recorded checks, oldest first. */
async function checksOf(jobId: number) {
  const events = db.selectFrom('events').select('data').where('stream', '=', `job-${jobId}`).orderBy('version')
  const verified = await events.where('type', '=', 'TaskVerified').execute()
  return verified.map(({ data }) => (data as Partial<Extract<JobEvent, { type: 'TaskVerified' }>>).isAsExpected)
}
const yesterday = new Date(Date.now() - 86_400_000)

test('an archived file that the scanned index lacks makes the job a warning, until a later scan finds it', async () => {
  await scan(films, files('', 'a', 'b'), '', yesterday)
  const job = await archive('/mnt/films')
  const { updatedAt } = await seen(job)
  await verifyAfter(platform, [films, tapes])
  expect(await seen(job)).toMatchObject({ status: 'SUCCESS', target: null, storages: [] })

  await scan(tapes, files('/films', 'a'), '/films')
  await verifyAfter(platform, [tapes])
  const target = { arrived: 1, changed: 0, missing: 1 }
  expect(await seen(job)).toEqual({ status: 'WARNING', target, storages: [], updatedAt })

  await scan(tapes, files('/films', 'a', 'b'), '/films')
  await scan(films, files('', 'b'))
  await verifyAfter(platform, [tapes, films])
  await verifyAfter(platform, [tapes, films])
  const storages = [{ volumeId: films, there: 1, changed: 0, gone: 1, goneBytes: 10 }]
  const arrived = { arrived: 2, changed: 0, missing: 0 }
  expect(await seen(job)).toEqual({ status: 'SUCCESS', target: arrived, storages, updatedAt })
  const { body } = await ask('GET', `/api/v1/detailedVolumes/${films}/actions`).expect(200)
  expect(body).toEqual([{ jobId: job, type: 'ARCHIVE_ARCHIWARE_FILES', endedAt: updatedAt, found: storages[0] }])
  const asOther = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ARCHIWARE_ARCHIVE']))
  expect((await asOther('GET', `/api/v1/detailedVolumes/${films}/actions`).expect(200)).body).toEqual([])
  const compared = await compareJobs(db)
  expect(compared).toMatchObject({ jobs: 1, differences: [] })
  expect(await checksOf(job)).toEqual([true, false, true])
})

test('a scan that finds all files leaves the warning about those that failed', async () => {
  await scan(films, files('', 'd', 'e'))
  const job = await archive('/mnt/films', 1)
  await scan(tapes, files('/films', 'd'), '/films')
  await verifyAfter(platform, [tapes])
  expect(await seen(job)).toMatchObject({ status: 'WARNING', target: { arrived: 1, changed: 0, missing: 0 } })
})

test('restored files are looked for at their original places', async () => {
  await scan(tapes, files('/films', 'a', 'b', 'c'), '/films')
  const job = await restore('p5://Tapes/mnt/films')
  await scan(films, [...files('', 'a'), { path: '/b', size: 11, inode: 98 }])
  await verifyAfter(platform, [films])
  expect(await seen(job)).toMatchObject({ status: 'WARNING', target: { arrived: 1, changed: 1, missing: 1 } })
})

test('transferred files are looked for by size on the storage that the target is a folder of', async () => {
  const volume = (name: string) => ({ name, path: `/mnt/${name.toLowerCase()}`, storagePrice })
  await ask('POST', '/api/volumeSettings', volume('Cloud')).expect(200)
  const cloud = await idOf('Cloud')
  const map = (volumeId: number, dataintellPath: string, sodaStorageId: string, sodaPath: string) =>
    ask('POST', '/api/v1/soda/volumeMappings', { volumeId, dataintellPath, sodaStorageId, sodaPath }).expect(200)
  await map(films, '/mnt/films', 'st-1', '/in')
  await map(cloud, '/mnt/cloud', 'st-2', '/in')
  await scan(films, files('', 'a', 'b', 'c'))
  const transfer = (path: string, conflictHandling = 'OVERWRITE') => {
    const target = { name: 'Cloud', path, storageId: 'st-2', isDirectory: true }
    const sources = [{ name: 'films', path: '/mnt/films', storageId: String(films), isDirectory: true }]
    const payload = { name: '', transferType: 'COPY', conflictHandling, target, sources }
    return endedJob({ jobType: 'SODA_TRANSFER', payload } as ActionRequest)
  }
  const jobs = [
    await transfer('/in'),
    await transfer('/'),
    await transfer('/elsewhere'),
    await transfer('/in', 'RENAME'),
  ]
  const copies = (folder: string, ...names: string[]) =>
    files(folder, ...names).map((file) => ({ ...file, modified: 1_800_000_000 }))
  await scanAll(cloud, [
    { path: '', entries: [{ path: '/in', isDirectory: true, inode: 1 }, ...copies('', 'b')] },
    { path: '/in', entries: copies('/in', 'a', 'c') },
  ])
  await verifyAfter(platform, [cloud])
  const targets = await Promise.all(jobs.map(async (job) => (await seen(job)).target))
  const [below, above] = [
    { arrived: 2, changed: 0, missing: 1 },
    { arrived: 1, changed: 0, missing: 2 },
  ]
  expect(targets).toEqual([below, above, undefined, undefined])
})
