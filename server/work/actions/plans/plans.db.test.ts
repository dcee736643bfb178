import { beforeEach, expect, test } from 'vitest'
import type { ActionPlan } from '#events/actions/plans.ts'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes } from '../index.ts'
import { testFilms } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, actionRoutes(platform))
const [archivist, restorer, admin] = [
  await testSession(db, ['ROLE_ARCHIWARE_ARCHIVE']),
  await testSession(db, ['ROLE_ARCHIWARE_RESTORE']),
  await testSession(db, ['ROLE_ADMIN']),
]
const ask = asUser(app, archivist)

const { volumes } = testFilms(platform)

beforeEach(async () => {
  await db.deleteFrom('archiwareMappings').execute()
})

const options = {
  planId: '10001',
  clientId: 'localhost',
  serverId: 1,
  credentialsId: 3,
  meta: [],
  indexroot: '',
  deltaScanAfter: false,
}
const archiveOf = (...dataIntellPaths: string[]) => ({
  jobType: 'ARCHIVE_ARCHIWARE_FILES',
  payload: { ...options, dataIntellPaths },
})
const plan = async (request: object, query = ''): Promise<ActionPlan> =>
  (await ask('POST', `/api/v1/actions/plans${query}`, request).expect(200)).body as ActionPlan
const placesOf = async ({ id }: ActionPlan, query = '') =>
  (
    (await ask('GET', `/api/v1/actions/plans/${id}/files${query}`).expect(200)).body as { rows: { place: string }[] }
  ).rows.map(({ place }) => place)

test('a plan has each file once, with folders expanded, and says what is left out and what is missing', async () => {
  const planned = await plan(
    archiveOf('/mnt/films/a', '/mnt/films/a/one.mov', '/mnt/films/nowhere.mov', 'p5://Default-Archive/mnt/old.mov'),
  )
  expect(planned).toMatchObject({ files: 2, bytes: 30, missing: 1, indexingDate: '2026-01-02' })
  expect(planned.leftOut).toEqual([{ reason: 'Not on a file storage', files: 1, bytes: 7 }])
  expect(await placesOf(planned)).toEqual(["/mnt/films/a/it's\n^2.mov", '/mnt/films/a/one.mov', ''])
  expect(await placesOf(planned, '?leftOut=true')).toEqual([''])
})

test('a demo leaves out the files that it made up, before any other rule', async () => {
  const { config } = platform
  const planIn = async (data: string) => {
    const app = createApp(platform, actionRoutes({ ...platform, config: { ...config, isDemo: true, data } }))
    const request = archiveOf('/mnt/films', 'p5://Default-Archive/mnt/old.mov')
    return (await asUser(app, archivist)('POST', '/api/v1/actions/plans', request).expect(200)).body as ActionPlan
  }
  expect(await planIn('/mnt')).toMatchObject({ files: 3, leftOut: [{ reason: 'Not on a file storage', files: 1 }] })
  const { files, leftOut } = await planIn('/mnt/other')
  expect(files).toBe(0)
  expect(leftOut).toMatchObject([
    { reason: 'Made up for this demo. Select files of Edit bay, which are real.', files: 3 },
    { reason: 'Not on a file storage', files: 1 },
  ])
})

test('a storage as a whole, and the results of a search, are planned without naming their files', async () => {
  expect(await plan(archiveOf('/mnt/films'))).toMatchObject({ files: 3, bytes: 35, missing: 0 })
  const request = {
    jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT',
    payload: { ...options, filters: { search: 'one' }, isDirectory: false },
  }
  expect(await plan(request)).toMatchObject({ files: 1, bytes: 10, missing: 0 })
  const criteria = { criteria: { searchQueries: [] }, isDirectory: true }
  expect(
    await plan(
      { jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT', payload: { ...options, ...criteria } },
      '?everything=true',
    ),
  ).toMatchObject({ files: 2 })
})

test('the places follow the mappings: the longest of the storage, else the global one, else unchanged', async () => {
  const mapping = (volumeId: number, dataintellPath: string, archiwarePath: string) => ({
    volumeId,
    dataintellPath,
    archiwarePath,
  })
  await db
    .insertInto('archiwareMappings')
    .values([mapping(volumes.films, '/mnt/films/a', 'D:\\arc'), mapping(-1, '/mnt', '/Volumes')])
    .execute()
  expect((await placesOf(await plan(archiveOf('/mnt/films')))).sort()).toEqual([
    '/Volumes/films/top.mov',
    "D:\\arc\\it's\n^2.mov",
    'D:\\arc\\one.mov',
  ])
})

test('a path that is in no storage is named, and nothing is frozen', async () => {
  const { body } = await ask('POST', '/api/v1/actions/plans', archiveOf('/mnt/films/a', '/srv/x')).expect(400)
  expect(body.subErrors).toEqual([{ field: 'dataIntellPaths.1', message: 'is in no storage: /srv/x' }])
})

test('only the built-in agent, and agents with an volumes.index of the credentials, can archive with them', async () => {
  const { id: agentId } = await db
    .insertInto('agents')
    .values({ name: 'Attic' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const request = archiveOf('/mnt/films/top.mov')
  const onAttic = { ...request, payload: { ...request.payload, serverId: agentId } }
  const { body } = await ask('POST', '/api/v1/actions/plans', onAttic).expect(400)
  expect(body.subErrors).toEqual([
    { field: 'serverId', message: 'must be an agent with an Archiware index that uses these credentials' },
  ])
  const { id: credentialId } = await db
    .insertInto('archiwareCredentials')
    .values({ name: 'Attic', username: 'p5', password: 'sealed', url: 'https://p5', certificateFingerprint: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: volumeId } = await db
    .insertInto('volumes')
    .values({ name: 'Attic tapes', path: '/', type: 'Archiware', agentId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('archiwares').values({ volumeId, indexId: 'Tapes', path: '/', credentialId }).execute()
  const own = { ...onAttic, payload: { ...onAttic.payload, credentialsId: credentialId } }
  await ask('POST', '/api/v1/actions/plans', onAttic).expect(400)
  await ask('POST', '/api/v1/actions/plans', own).expect(200)
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', volumeId).execute()
  await ask('POST', '/api/v1/actions/plans', own).expect(400)
})

test('plans need the permission of their action, and belong to the user who made them', async () => {
  const { body } = await asUser(app, restorer)('POST', '/api/v1/actions/plans', archiveOf('/mnt/films')).expect(403)
  expect(body.message).toBe("You don't have permission to do this")
  const { id } = await plan(archiveOf('/mnt/films'))
  for (const path of [`/api/v1/actions/plans/${id}/files`, `/api/v1/actions/plans/${id}/csv`])
    await asUser(app, admin)('GET', path).expect(404)
  await asUser(app, admin)('POST', `/api/v1/actions/plans/${id}/start`).expect(404)
})

test('files are not moved to quarantine or deleted there without the run of a policy', async () => {
  const payload = { dataIntellPaths: ['/mnt/films'] }
  for (const [jobType, options] of [
    ['QUARANTINE_FILES', {}],
    ['PUT_BACK_FILES', { ofJob: 1 }],
    ['DELETE_QUARANTINED_FILES', { ofJob: 1 }],
  ] as const) {
    const request = { jobType, payload: { ...options, ...payload } }
    const { body } = await asUser(app, admin)('POST', '/api/v1/actions/plans', request).expect(400)
    expect(body.subErrors).toEqual([{ field: 'jobType', message: 'is started by the run of a policy' }])
    await ask('POST', '/api/v1/actions/plans', request).expect(403)
  }
})

test('a plan is downloaded with everything left out', async () => {
  const { id } = await plan(archiveOf('/mnt/films/top.mov', 'p5://Default-Archive/mnt/old.mov'))
  const { text } = await ask('GET', `/api/v1/actions/plans/${id}/csv`).expect(200)
  const [heads, ...rows] = readCsv(Buffer.from(text))
  expect(heads).toContain('Left out')
  expect(rows.map((row) => row.at(-1))).toEqual(['', 'Not on a file storage'])
})

test('a plan is started once, as one task with the frozen files', async () => {
  const planned = await plan(archiveOf('/mnt/films/a'))
  const { jobId } = (await ask('POST', `/api/v1/actions/plans/${planned.id}/start`).expect(200)).body
  const job = await findJob(db, jobId)
  expect(job).toMatchObject({ type: 'ARCHIVE_ARCHIWARE_FILES', serverId: 1, payload: { planId: '10001' } })
  expect(job?.tasks.map(({ payload }) => payload)).toEqual([
    { selection: planned.id, part: 0, system: 3, files: 2, bytes: 30, hash: planned.hash },
  ])
  const { body } = await ask('POST', `/api/v1/actions/plans/${planned.id}/start`).expect(409)
  expect(body.message).toBe(`This plan was started as job ${jobId}`)
})

test('a plan in which everything is left out does not start', async () => {
  const { id } = await plan(archiveOf('p5://Default-Archive/mnt/old.mov'))
  const { body } = await ask('POST', `/api/v1/actions/plans/${id}/start`).expect(409)
  expect(body.message).toBe('No file is left to process')
})

test('restoring plans the paths in the index, for the agent of the index', async () => {
  const ask = asUser(app, restorer)
  const payload = {
    clientId: 'localhost',
    credentialsId: 3,
    relocate: null,
    dataIntellPaths: ['p5://Default-Archive/mnt/old.mov', '/mnt/films/top.mov'],
  }
  const { body } = await ask('POST', '/api/v1/actions/plans', { jobType: 'RESTORE_ARCHIWARE_FILES', payload }).expect(
    200,
  )
  expect(body).toMatchObject({
    files: 1,
    bytes: 7,
    leftOut: [{ reason: 'Not in an archive index', files: 1, bytes: 5 }],
  })
  const { rows } = (await ask('GET', `/api/v1/actions/plans/${body.id}/files`).expect(200)).body
  expect(rows.map(({ place }: { place: string }) => place).sort()).toEqual(['', '/mnt/old.mov'])
})

test('the calls of the specification plan and start in one', async () => {
  const query = 'clientId=localhost&serverId=1&credentialsId=3'
  const path = `/api/v1/archiwares/plans/10001/archiveselections`
  const started = await ask('POST', `${path}?${query}`, {
    dataIntellPaths: ['/mnt/films/top.mov'],
    meta: [],
    indexroot: '/in',
    deltaScanAfter: true,
  }).expect(200)
  expect(await findJob(db, started.body.jobId)).toMatchObject({
    type: 'ARCHIVE_ARCHIWARE_FILES',
    payload: { indexroot: '/in', deltaScanAfter: true, dataIntellPaths: ['/mnt/films/top.mov'] },
  })
  const body = { dataIntellPaths: null, meta: [], indexroot: '', deltaScanAfter: false }
  const searched = await ask(
    'POST',
    `${path}/search?${query}&search=one&isDirectory=false&indexingDate=2026-01-02`,
    body,
  ).expect(200)
  expect(await findJob(db, searched.body.jobId)).toMatchObject({
    type: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT',
    payload: { filters: { search: 'one' } },
  })
  await ask('POST', `${path}?${query}`, { dataIntellPaths: [] }).expect(400)
})

test('files of storages that StorNext knows are planned with its paths, each storage for its agent', async () => {
  const config = { name: 'MDC', host: 'mdc', username: '', password: '', certificateFingerprint: '' }
  const { id } = await db.insertInto('storageManagerConfigs').values(config).returning('id').executeTakeFirstOrThrow()
  const mapping = { volumeId: volumes.films, storageManagerConfigId: id, storageManagerPath: '/stornext/snfs1/' }
  await db
    .insertInto('storageManagerMappings')
    .values({ ...mapping, dataintellPath: '/mnt/films/a' })
    .execute()
  const ask = asUser(app, await testSession(db, ['ROLE_STORAGE_MANAGER_ARCHIVE']))
  const paths = { dataIntellPaths: ['/mnt/films', 'p5://Default-Archive/mnt'] }
  const request = { jobType: 'ARCHIVE_STORAGE_MANAGER_FILES', payload: paths }
  const { body } = await ask('POST', '/api/v1/actions/plans', request).expect(200)
  expect(body).toMatchObject({
    files: 2,
    bytes: 30,
    leftOut: [{ reason: 'No Quantum StorNext path', files: 2, bytes: 12 }],
  })
  const { rows } = (await ask('GET', `/api/v1/actions/plans/${body.id}/files`).expect(200)).body
  const places = (rows as { place: string }[]).map(({ place }) => place).filter((place) => place !== '')
  expect(places).toEqual(["/stornext/snfs1/it's\n^2.mov", '/stornext/snfs1/one.mov'])
  const { jobId } = (await ask('POST', '/api/v1/storageManager/archiveselections', paths).expect(200)).body
  const tasks = (await findJob(db, jobId))?.tasks
  expect(tasks).toMatchObject([{ serverId: 1, payload: { system: volumes.films, files: 2 } }])
  await ask('POST', '/api/v1/storageManager/restoreselections', { ...paths, relocate: null }).expect(403)
  const search = '/api/v1/storageManager/archiveselections/search?search=one&isDirectory=false'
  const searched = (await ask('POST', search).expect(200)).body
  expect(await findJob(db, searched.jobId)).toMatchObject({ type: 'ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT' })
})

test('thousands of long paths fit into a request', async () => {
  const paths = Array.from({ length: 5_000 }, (_, i) => `/mnt/films/${'long folder '.repeat(30)}/${i}.mov`)
  expect(await plan(archiveOf('/mnt/films/top.mov', ...paths))).toMatchObject({ files: 1, missing: 5_000 })
})
