import { createInbox } from 'nats'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { referenceOf, type SetContents } from '#events/actions/contents.ts'
import { type FileOutcome, FilesPage, ReportAnswer } from '#events/actions/files.ts'
import type { ActionPlan } from '#events/actions/plans.ts'
import { protocolVersion } from '#events/agents.ts'
import { noFilters } from '#events/search/filters.ts'
import { subjects } from '#events/subjects.ts'
import { TaskAnswer } from '#events/tasks.ts'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { compareJobs, findJob } from '#server/workers/jobs/index.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { handlersFor, startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { simulatedRun } from '#server/scanning/scans/testing/simulatedAgent.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { dropSelection, selectionsOfJob } from '#server/questions/selections/index.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { taskRoutes } from '#server/workers/tasks/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes, startActions } from '../index.ts'

const platform = await testPlatform()
const { db, nats } = platform
await db.insertInto('agents').values({ id: 2, name: 'Studio' }).execute()
for (const agentId of [1, 2]) await taskConsumers(nats, agentId)
const tasks = await startScanning(platform)
const actions = startActions(platform)
afterAll(async () => {
  await actions.stop()
  await tasks.stop()
})
const app = createApp(platform, [
  ...actionRoutes(platform),
  ...configurationRoutes(platform),
  ...searchRoutes(platform),
  ...taskRoutes(platform, handlersFor(platform)),
])
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))

const modified = 1_600_000_000
const onDisk = { size: 500_000, allocatedSize: 500_224 }
const newVolume = async (name: string, type: string, path: string, agentId = 1) =>
  (await db.insertInto('volumes').values({ name, path, type, agentId }).returning('id').executeTakeFirstOrThrow()).id

let [films, copies] = [0, 0]
let inode = 10
/** Scans the storage of films with files below one folder each. */
const scanFilms = (day: string, files: Record<string, { modified?: number }>) =>
  scanFolders(platform, { volumeId: films, indexingDate: day }, [
    {
      path: '',
      entries: Object.keys(files).map((folder) => ({ path: `/${folder}`, isDirectory: true, inode: ++inode })),
    },
    ...Object.entries(files).map(([folder, changes]) => ({
      path: `/${folder}`,
      entries: [{ path: `/${folder}/a.mov`, ...onDisk, modified, inode: ++inode, ...changes }],
    })),
  ])
beforeAll(async () => {
  films = await newVolume('Films', 'crawl.files', '/mnt/films')
  copies = await newVolume('Copies', 'crawl.files', '/mnt/copies', 2)
  const cloud = await newVolume('Cloud', 'AWS-S3', 's3://cloud')
  const share = await newVolume('Share', 'NetworkVolume', '//nas/share')
  const entries = [{ path: '/a.mov', ...onDisk, modified, inode: 3 }]
  await scanFilms('2026-01-02', { one: {}, two: {} })
  for (const volumeId of [copies, cloud, share])
    await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [{ path: '', entries }])
})

let hash = ''
const idOf: Record<string, string> = {}
beforeEach(async () => {
  const { body } = await ask('GET', '/api/files/search?search=a.mov&size=100').expect(200)
  for (const entry of body.elements) idOf[entry.fullPath] = entry.fileId
  const shown = body.elements.find(({ volumeId }: { volumeId: number }) => volumeId === films)
  hash = shown.identificationHash
})

const request = async (agentId: number, subject: string, body: object): Promise<unknown> => {
  const options = { timeout: 5_000, noMux: true, reply: createInbox(`_INBOX_agent-${agentId}`) }
  return (await nats.connection.request(subject, JSON.stringify(body), options)).json()
}

/** Simulates an attempt of an agent at its task of a job. */
async function startAttempt(jobId: number, agentId: number) {
  const task = (await findJob(db, jobId))?.tasks.find(({ serverId }) => serverId === agentId)
  if (!task) throw new Error(`Agent ${agentId} has no part of job ${jobId}`)
  const taskRequest = { taskId: task.id, run: simulatedRun, protocol: protocolVersion }
  const answer = TaskAnswer.parse(await request(agentId, subjects.startTask(agentId), taskRequest))
  if (answer.type !== 'action') throw new Error(`The task was not started: ${answer.type}`)
  const about = { taskId: task.id, run: simulatedRun, attempt: answer.order.attempt }
  let sequence = 0
  return {
    order: answer.order,
    async files(state: 'planned' | 'sent') {
      const page = FilesPage.parse(await request(agentId, subjects.files(agentId), { ...about, state, after: 0 }))
      return page.files.map(({ position, path, isUnlikeOthers = false }) => ({ position, path, isUnlikeOthers }))
    },
    report: async (...outcomes: Partial<FileOutcome>[]) =>
      ReportAnswer.parse(
        await request(agentId, subjects.outcomes(agentId), { ...about, sequence: ++sequence, outcomes }),
      ),
    end: () => request(agentId, subjects.ended(agentId), about),
  }
}

const bySet = () => ({ isDirectory: false, criteria: [{ identificationHash: { value: hash } }] })
async function startComparison(payload: object = bySet()): Promise<number> {
  const body = { jobType: 'COMPARE_SEARCH_RESULT', payload }
  const plan = (await ask('POST', '/api/v1/actions/plans', body).expect(200)).body as ActionPlan
  return (await ask('POST', `/api/v1/actions/plans/${plan.id}/start`).expect(200)).body.jobId
}

const read = (position: number, ends: string, whole = '', file = `1-7-${position}`): Partial<FileOutcome> => ({
  position,
  state: whole ? 'done' : 'sent',
  reference: referenceOf({ ends, whole, file, shared: 0 }),
})

async function contents(indexingDate = ''): Promise<SetContents | undefined> {
  const query = indexingDate ? `?indexingDate=${indexingDate}` : ''
  return (await ask('POST', `/api/v1/files/contents${query}`, { hashes: [hash] }).expect(200)).body[0]
}
/** State of each file by its path. */
const statesOf = (set: SetContents | undefined) =>
  Object.fromEntries(
    Object.entries(idOf).flatMap(([path, fileId]) => {
      const file = set?.files.find((one) => one.fileId === fileId)
      return file ? [[path, file.state]] : []
    }),
  )

/** Compares the two films, and not the copy on the other storage. */
async function compareFilms(...outcomes: Partial<FileOutcome>[]): Promise<number> {
  const filters = { ...noFilters, search: 'a.mov', storageId: films }
  const jobId = await startComparison({ isDirectory: false, filters })
  const attempt = await startAttempt(jobId, 1)
  await attempt.report(...outcomes)
  await attempt.end()
  return jobId
}

test('a set without comparisons has no result', async () => {
  expect(await contents()).toBe(undefined)
})

test('duplicates on local file storages are compared, each by its agent; other files are left out with the reason', async () => {
  const payload = { isDirectory: false, filters: { ...noFilters, search: 'a.mov' } }
  const body = { jobType: 'COMPARE_SEARCH_RESULT', payload }
  const plan = (await ask('POST', '/api/v1/actions/plans', body).expect(200)).body as ActionPlan
  expect(plan).toMatchObject({ files: 3, bytes: 1_500_000 })
  expect(plan.leftOut.map(({ reason, files }) => [reason, files]).sort()).toEqual([
    ["Contents of buckets and archives can't be compared", 1],
    ['Not on a local file storage', 1],
  ])
  const paths = { jobType: 'COMPARE_FILES', payload: { dataIntellPaths: ['/mnt/films', '/mnt/copies/a.mov'] } }
  expect((await ask('POST', '/api/v1/actions/plans', paths).expect(200)).body).toMatchObject({ files: 3, missing: 0 })
})

test('only administrators may compare contents; everyone who sees the files sees the results', async () => {
  const others = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER', 'ROLE_SODA_TRANSFER']))
  await others('POST', '/api/v1/actions/plans', { jobType: 'COMPARE_SEARCH_RESULT', payload: bySet() }).expect(403)
  await others('POST', '/api/v1/files/contents', { hashes: [hash] }).expect(200)
  await asUser(app, undefined)('POST', '/api/v1/files/contents', { hashes: [hash] }).expect(401)
  const { body } = await ask('POST', '/api/v1/files/contents', { hashes: ['x'] }).expect(400)
  expect(body.subErrors).toMatchObject([{ field: 'hashes.0' }])
})

test('an order has the reading speed of the settings', async () => {
  const speedOf = async () => {
    const jobId = await startComparison()
    const { order } = await startAttempt(jobId, 1)
    await ask('PUT', `/api/v1/jobs/${jobId}`, { status: 'CANCELLED' }).expect(200)
    return order.system
  }
  expect(await speedOf()).toEqual({ kind: 'compare', bytesPerSecond: 104_857_600, onDiskOnly: true })
  await ask('PUT', '/api/configurations', [{ name: 'comparisonBytesPerSecond', value: '1000' }]).expect(200)
  expect(await speedOf()).toMatchObject({ bytesPerSecond: 1_000 })
  const { body } = await ask('PUT', '/api/configurations', [{ name: 'comparisonBytesPerSecond', value: '0' }]).expect(
    400,
  )
  expect(body.subErrors).toHaveLength(1)
})

test('files of different agents are compared: one that the other agent has not examined may be equal', async () => {
  const jobId = await startComparison()
  const [first, second] = [await startAttempt(jobId, 1), await startAttempt(jobId, 2)]
  expect((await first.files('planned')).map(({ path }) => path)).toEqual([
    '/mnt/films/one/a.mov',
    '/mnt/films/two/a.mov',
  ])
  await first.report(read(1, 'e1'), read(2, 'e2'))
  expect((await first.files('sent')).map(({ isUnlikeOthers }) => isUnlikeOthers)).toEqual([false, false])
  await second.report(read(3, 'e2', '', '2-7-3'))
  expect((await first.files('sent')).map(({ isUnlikeOthers }) => isUnlikeOthers)).toEqual([true, false])
  expect((await second.files('sent')).map(({ isUnlikeOthers }) => isUnlikeOthers)).toEqual([false])
  expect(await contents()).toMatchObject({ files: [], jobId })
  await first.report({ ...read(1, 'e1'), state: 'done' }, read(2, 'e2', 'w2'))
  await second.report(read(3, 'e2', 'w2', '2-7-3'))
  await first.end()
  await second.end()
  const set = await contents()
  expect(set).toMatchObject({ verifiedReclaimable: 500_000, jobId: null })
  expect(statesOf(set)).toEqual({
    '/mnt/films/one/a.mov': 'different',
    '/mnt/films/two/a.mov': 'same',
    '/mnt/copies/a.mov': 'same',
  })
  expect(await findJob(db, jobId)).toMatchObject({
    status: 'SUCCESS',
    result: { toDo: 3, done: 3, bytesToDo: 1_500_000, bytesDone: 1_500_000, failed: 0 },
  })
})

test('an agent has no say about the files of another', async () => {
  const jobId = await startComparison()
  const second = await startAttempt(jobId, 2)
  await second.report(read(1, 'e', 'w'), read(2, 'e', 'w'), read(3, 'e', 'w', '2-7-3'))
  expect(statesOf(await contents())).toMatchObject({ '/mnt/copies/a.mov': 'different' })
  await ask('PUT', `/api/v1/jobs/${jobId}`, { status: 'CANCELLED' }).expect(200)
})

test('hard links alone are not read in full, and a file that failed is nothing to be equal to', async () => {
  const jobId = await startComparison()
  const [first, second] = [await startAttempt(jobId, 1), await startAttempt(jobId, 2)]
  await first.report(read(1, 'e', '', '1-7-9'), read(2, 'e', '', '1-7-9'))
  await second.report({ position: 3, state: 'failed', reason: 'The agent has no permission to read the file' })
  expect((await first.files('sent')).map(({ isUnlikeOthers }) => isUnlikeOthers)).toEqual([true, true])
  await first.report({ ...read(1, 'e', '', '1-7-9'), state: 'done' }, { ...read(2, 'e', '', '1-7-9'), state: 'done' })
  await first.end()
  await second.end()
  const set = await contents()
  expect(statesOf(set)).toEqual({
    '/mnt/films/one/a.mov': 'same',
    '/mnt/films/two/a.mov': 'same',
    '/mnt/copies/a.mov': 'failed',
  })
  expect(set?.verifiedReclaimable).toBe(0)
  expect(await findJob(db, jobId)).toMatchObject({
    status: 'WARNING',
    result: {
      failed: 1,
      failedPaths: [{ path: '/mnt/copies/a.mov', reason: 'The agent has no permission to read the file' }],
    },
  })
})

test('the files of a resumed comparison that have a result are not given out again', async () => {
  const jobId = await startComparison()
  const first = await startAttempt(jobId, 1)
  await first.report(read(1, 'e', 'w'))
  await ask('PUT', `/api/v1/jobs/${jobId}`, { status: 'WAITING' }).expect(200)
  expect(await first.report(read(2, 'e', 'w'))).toEqual({ verdict: 'cancel' })
  await ask('PUT', `/api/v1/jobs/${jobId}`, { status: 'AVAILABLE' }).expect(200)
  const again = await startAttempt(jobId, 1)
  expect((await again.files('planned')).map(({ position }) => position)).toEqual([2])
  await ask('PUT', `/api/v1/jobs/${jobId}`, { status: 'CANCELLED' }).expect(200)
  expect(await again.report(read(2, 'e', 'w'))).toEqual({ verdict: 'cancel' })
  expect(await contents()).toMatchObject({ jobId: null })
  const rest = (await ask('POST', `/api/v1/jobs/${jobId}/plans`).expect(200)).body as ActionPlan
  expect(rest.files).toBe(3)
})

test('results outlive their job, and the last comparison of a file counts', async () => {
  const jobId = await compareFilms(read(1, 'e', 'w'), read(2, 'e', 'w'))
  expect(statesOf(await contents())).toMatchObject({ '/mnt/films/one/a.mov': 'same', '/mnt/films/two/a.mov': 'same' })
  for (const { id } of await selectionsOfJob(db, jobId)) await dropSelection(platform, id)
  const sharing = (n: number) => ({ ...read(n, 'e', 'w'), reference: `e:w:1-7-${n}:500000` })
  await compareFilms(sharing(1), sharing(2))
  expect((await contents())?.verifiedReclaimable).toBe(0)
  await compareFilms(read(1, 'e', 'w'), read(2, 'e', 'v'))
  expect(statesOf(await contents())).toMatchObject({
    '/mnt/films/one/a.mov': 'different',
    '/mnt/films/two/a.mov': 'different',
  })
})

test('the result of a file is forgotten once a scan finds another size or time, also if they are again as before', async () => {
  await compareFilms(read(1, 'e', 'w'), read(2, 'e', 'w'))
  const path = '/mnt/films/two/a.mov'
  expect(statesOf(await contents())[path]).toBe('same')
  const stateOn = async (day: string) => statesOf(await contents(day))[path]
  await scanFilms('2026-01-03', { one: {}, two: { modified: modified + 60 } })
  await expect.poll(() => stateOn('2026-01-03')).toBe(undefined)
  await scanFilms('2026-01-04', { one: {}, two: {} })
  expect(await stateOn('2026-01-04')).toBe(undefined)
  await scanFilms('2026-01-05', { one: {} })
  await scanFilms('2026-01-06', { one: {}, two: {} })
  await compareFilms(read(1, 'e', 'w'), read(2, 'e', 'w'))
  expect(await stateOn('2026-01-06')).toBe('same')
  await scanFilms('2026-01-07', { one: {} })
  await scanFilms('2026-01-08', { one: {}, two: {} })
  await expect.poll(() => stateOn('2026-01-08')).toBe(undefined)
})

test('folding the log again gives the same jobs', async () => {
  expect((await compareJobs(db)).differences).toEqual([])
})
