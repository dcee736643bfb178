import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ActionPlan } from '#events/actions/plans.ts'
import { type TransferAnswer, TransferQuestion } from '#events/actions/transfers.ts'
import type { Task } from '#events/jobs/events.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes } from '../index.ts'
import { orderOf } from '../run/actionTasks.ts'

const platform = await testPlatform()
const { db, nats } = platform
const app = createApp(platform, [...actionRoutes(platform), ...configurationRoutes(platform)])
const ask = asUser(app, await testSession(db, ['ROLE_SODA_TRANSFER']))
const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/soda'
const secret = 'planted-SECRET-5521'
const connection = { url: 'https://soda.example.com', clientId: 'di', clientSecret: secret }

const nothing: TransferAnswer = { failure: null, storages: [], folders: [] }
let answer = nothing
const asked: TransferQuestion[] = []
const askedAgents: number[] = []
for (const agentId of [1, 77])
  nats.connection.subscribe(subjects.transfers(agentId), {
    callback: (_, message) => {
      askedAgents.push(agentId)
      asked.push(TransferQuestion.parse(message.json()))
      message.respond(JSON.stringify(answer))
    },
  })

const newVolume = async (name: string, path: string) =>
  (await db.insertInto('volumes').values({ name, path, type: 'crawl.files' }).returning('id').executeTakeFirstOrThrow())
    .id
let [films, songs, other] = [0, 0, 0]
beforeAll(async () => {
  films = await newVolume('Films', '/mnt/films')
  songs = await newVolume('Songs', '/mnt/songs')
  other = await newVolume('Other', '/mnt/films/other')
  const file = (path: string, size: number, inode: number) => ({ path, size, inode })
  for (const volumeId of [films, songs, other])
    await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [
      { path: '', entries: [{ path: '/a', isDirectory: true, inode: 2 }, file('/top.mov', 5, 3)] },
      { path: '/a', entries: [file('/a/one.mov', 10, 4)] },
    ])
  await db
    .insertInto('sodaMappings')
    .values([
      { volumeId: films, dataintellPath: '/mnt/films', sodaStorageId: 'st-1', sodaPath: '/in/' },
      { volumeId: songs, dataintellPath: '/mnt/songs/a', sodaStorageId: 'st-2', sodaPath: '/' },
    ])
    .execute()
})

const put = (values: Record<string, string>) =>
  admin(
    'PUT',
    '/api/configurations',
    Object.entries(values).map(([name, value]) => ({ name, value })),
  ).expect(200)
beforeEach(async () => {
  asked.length = 0
  answer = nothing
  const { url: sodaUrl, clientId: sodaClientId, clientSecret: sodaClientSecret } = connection
  await put({ sodaUrl, sodaClientId, sodaClientSecret, sodaDeletesMovedFiles: 'false' })
})

test('only allowed agents get the secret', async () => {
  askedAgents.length = 0
  await db.insertInto('agents').values({ id: 77, name: 'Far', lastActiveAt: new Date() }).execute()
  await ask('GET', `${path}/storages`).expect(200)
  await put({ sodaAgents: '77' })
  await ask('GET', `${path}/storages`).expect(200)
  await put({ sodaAgents: '' })
  await ask('GET', `${path}/storages`).expect(200)
  expect(askedAgents).toEqual([1, 77, 1])
})

test('storages and folders are listed by an agent, which gets the secret', async () => {
  const storage = {
    id: 'st/1',
    name: 'Cloud',
    account: 'acme',
    type: 'Amazon S3',
    capacityUsed: 7,
    capacityTotal: null,
  }
  const folder = { name: 'in', path: '/in' }
  answer = { failure: null, storages: [storage], folders: [folder] }
  const { body, text } = await ask('GET', `${path}/storages`).expect(200)
  expect(body).toEqual([storage])
  expect(text).not.toContain(secret)
  const folders = `${path}/storages/${encodeURIComponent('st/1')}/folders`
  expect((await ask('GET', `${folders}?path=%2Fa%20b`).expect(200)).body).toEqual([folder])
  await ask('GET', folders).expect(200)
  expect(asked).toEqual([
    { connection, list: 'storages' },
    { connection, list: 'folders', storageId: 'st/1', path: '/a b' },
    { connection, list: 'folders', storageId: 'st/1', path: '/' },
  ])
})

test('errors of the service are reported with its own words, and a missing configuration with the settings', async () => {
  answer = { ...nothing, failure: { message: 'The folder /x no longer exists', debugMessage: 'HTTP 404' } }
  expect((await ask('GET', `${path}/storages/st-1/folders?path=/x`).expect(502)).body).toEqual({
    code: 'soda',
    message: 'The folder /x no longer exists',
    debugMessage: 'HTTP 404',
    title: 'Unable to get the list of folders from the transfer service.',
  })
  await put({ sodaUrl: '', sodaClientSecret: '' })
  expect((await ask('GET', `${path}/storages`).expect(409)).body).toEqual({
    code: 'not-configured',
    message:
      'The transfer service is not configured. Set the URL, the Client ID and the Client Secret in Settings > Data > SODA Integration.',
  })
})

const options = { name: '', transferType: 'COPY', conflictHandling: 'OVERWRITE' } as const
const targetAt = (storageId: string, path: string) => ({ name: storageId, storageId, path, isDirectory: true as const })
const target = targetAt('st-9', '/')
const source = (volumeId: number, path: string, isDirectory = true) => ({
  name: path.split('/').at(-1) ?? '',
  path,
  storageId: String(volumeId),
  isDirectory,
})
const plan = async (sources: object[], to = target) =>
  (
    await ask('POST', '/api/v1/actions/plans', {
      jobType: 'SODA_TRANSFER',
      payload: { ...options, target: to, sources },
    }).expect(200)
  ).body as ActionPlan
const placesOf = async ({ id }: ActionPlan) => {
  const { rows } = (await ask('GET', `/api/v1/actions/plans/${id}/files`).expect(200)).body
  return rows.map(({ place, leftOut }: { place: string; leftOut: string }) => leftOut || place)
}

test('files are transferred by their paths in the service, and those without one are left out', async () => {
  const planned = await plan([
    source(films, '/mnt/films/a'),
    source(songs, '/mnt/songs'),
    source(other, '/mnt/films/other/top.mov', false),
    source(films, '/mnt/films/a/one.mov', false),
    source(films, '/mnt/films/gone.mov', false),
  ])
  expect(planned).toMatchObject({ files: 2, bytes: 20, missing: 1 })
  expect(await placesOf(planned)).toEqual(['/in/a/one.mov', 'No SODA storage path', '/one.mov', 'No SODA storage path'])
})

test('files that are below the target already are left out', async () => {
  const planned = await plan([source(films, '/mnt/films/a/one.mov', false), source(songs, '/mnt/songs/a')], {
    ...targetAt('st-1', '/in/a'),
  })
  expect(await placesOf(planned)).toEqual(['Already in the target folder', '/one.mov'])
  const all = await plan([source(songs, '/mnt/songs/a/one.mov', false)], targetAt('st-2', '/'))
  expect(all).toMatchObject({ files: 0, leftOut: [{ reason: 'Already in the target folder', files: 1, bytes: 10 }] })
})

test('files that no agent can delete are copied, and moved only if the service deletes them', async () => {
  await db.updateTable('volumes').set({ type: 'NetworkVolume' }).where('id', '=', songs).execute()
  const planned = async (transferType: 'COPY' | 'MOVE') => {
    const sources = [source(songs, '/mnt/songs/a')]
    const payload = { ...options, transferType, target: targetAt('st-9', '/'), sources }
    return (await ask('POST', '/api/v1/actions/plans', { jobType: 'SODA_TRANSFER', payload }).expect(200)).body.files
  }
  expect([await planned('COPY'), await planned('MOVE')]).toEqual([1, 0])
  await put({ sodaDeletesMovedFiles: 'true' })
  expect(await planned('MOVE')).toBe(1)
  await db.updateTable('volumes').set({ type: 'crawl.files' }).where('id', '=', songs).execute()
})

test.each([
  ['/mnt/films/a', 'films', 'st-1', '/in/a'],
  ['/mnt/films/a', 'films', 'st-1', '/in/a/deeper'],
  ['/mnt/films', 'films', 'st-1', '/in/new'],
  ['/mnt/songs', 'songs', 'st-2', '/anywhere'],
])('of the folder %s of %s, nothing is transferred into %s%s', async (folder, name, storageId, inside) => {
  const sources = [source(name === 'films' ? films : songs, folder)]
  const body = { ...options, target: targetAt(storageId, inside), sources }
  expect((await ask('POST', `${path}/jobs`, body).expect(400)).body).toEqual({
    code: 'target-in-source',
    message: `The target folder must not be inside ${folder}, which is transferred`,
    subErrors: [{ field: 'target.path', message: `must not be inside ${folder}, which is transferred` }],
  })
  await ask('POST', `${path}/jobs`, { ...body, target: targetAt('st-9', inside) }).expect(200)
})

test('the calls of the specification start a job with a task for each storage', async () => {
  const sources = [source(films, '/mnt/films/a'), { ...source(songs, '/mnt/songs/a'), storageId: songs }]
  const { jobId } = (await ask('POST', `${path}/jobs`, { ...options, name: null, target, sources }).expect(200)).body
  const job = await findJob(db, jobId)
  expect(job).toMatchObject({ type: 'SODA_TRANSFER', payload: { ...options, target } })
  expect(job?.tasks).toMatchObject([{ payload: { system: films, files: 1 } }, { payload: { system: songs, files: 1 } }])
  const search = `${path}/jobs/search?search=top&isDirectory=false`
  const { body } = await ask('POST', search, { ...options, target, sources: [] }).expect(200)
  const found = await findJob(db, body.jobId)
  expect(found).toMatchObject({ type: 'SODA_TRANSFER_SEARCH_RESULT', payload: { target, filters: { search: 'top' } } })
  expect(found?.tasks).toMatchObject([{ payload: { system: films, files: 1 } }])
})

test('a source is named by the path in its storage too, and a whole record by its full path', async () => {
  const record = { fullPath: '/mnt/films/a/one.mov', volumeId: films, size: 10, owner: 'ana', customTag: [] }
  for (const sources of [
    [source(films, '/a/one.mov', false)],
    [{ ...source(films, '/a/one.mov', false), ...record }],
    [source(films, '/mnt/films/a/one.mov', false), source(films, '/a', true)],
  ]) {
    const { jobId } = (await ask('POST', `${path}/jobs`, { ...options, target, sources }).expect(200)).body
    expect((await findJob(db, jobId))?.tasks).toMatchObject([{ payload: { system: films, files: 1, bytes: 10 } }])
  }
  const whole = [source(films, '/', true)]
  expect((await placesOf(await plan(whole))).sort()).toEqual(['/in/a/one.mov', '/in/top.mov'])
  const body = { ...options, target: targetAt('st-1', '/in/a/b'), sources: [source(films, '/a')] }
  expect((await ask('POST', `${path}/jobs`, body).expect(400)).body).toMatchObject({ code: 'target-in-source' })
  await ask('POST', `${path}/jobs`, { ...body, sources: whole }).expect(400)
})

const orderFor = async (name = '', transferType: 'COPY' | 'MOVE' = 'COPY') => {
  const payload = { ...options, name, transferType, target, sources: [source(films, '/mnt/films')] }
  const task = { payload: { selection: 1, part: 1, system: films, files: 1, bytes: 1, hash: '' } as Task['payload'] }
  return (await orderOf(platform, { id: 7, type: 'SODA_TRANSFER', payload }, task, 1)).system
}

test('an order has the storage of the mapping, the alias, and who deletes moved files', async () => {
  const { isDirectory: _, ...place } = target
  expect(await orderFor()).toEqual({
    kind: 'transfer',
    connection,
    ...options,
    name: 'DataIntell job 7',
    deletedBy: 'agent',
    sourceStorageId: 'st-1',
    target: place,
  })
  expect(await orderFor('Nightly', 'MOVE')).toMatchObject({ name: 'Nightly', transferType: 'MOVE', deletedBy: 'agent' })
  expect((await ask('GET', `${path}/options`).expect(200)).body).toEqual({ movesDeletedBy: 'agent' })
  await put({ sodaDeletesMovedFiles: 'true' })
  expect(await orderFor()).toMatchObject({ deletedBy: 'service' })
  expect((await ask('GET', `${path}/options`).expect(200)).body).toEqual({ movesDeletedBy: 'service' })
  await put({ sodaClientSecret: '' })
  await expect(orderFor()).rejects.toThrow('The transfer service is not configured.')
})

test('without a mapping of its storage, a task has no order', async () => {
  await db.updateTable('sodaMappings').set({ dataintellPath: '/mnt/moved' }).where('volumeId', '=', films).execute()
  await expect(orderFor()).rejects.toThrow('The storage no longer has a SODA storage path configuration')
  await db.updateTable('sodaMappings').set({ dataintellPath: '/mnt/films' }).where('volumeId', '=', films).execute()
})

const one = () => [source(films, '/mnt/films/a')]
test.each([
  [() => ({ target: targetAt('', '/in') }), 'target.storageId'],
  [() => ({ target: targetAt('st-9', '') }), 'target.path'],
  [() => ({ target: targetAt('st-9', 'in') }), 'target.path'],
  [() => ({ target: targetAt('st-9', '/in/../out') }), 'target.path'],
  [() => ({ target: { ...target, isDirectory: false } }), 'target.isDirectory'],
  [() => ({ transferType: 'SYNC' }), 'transferType'],
  [() => ({ conflictHandling: 'ASK' }), 'conflictHandling'],
  [() => ({ sources: [] }), 'sources'],
  [() => ({ sources: [source(77, '/mnt/films/a')] }), 'sources.0.storageId'],
  [() => ({ sources: [...one(), source(songs, 'a/one.mov')] }), 'sources.1.path'],
  [() => ({ target: targetAt('st-9', '/in/stray\uefe9') }), 'target.path'],
])('case %#: an invalid %s is refused by name', async (wrong, field) => {
  const body = { ...options, target, sources: one(), ...wrong() }
  expect((await ask('POST', `${path}/jobs`, body).expect(400)).body.subErrors).toMatchObject([{ field }])
})

test('every call needs the role and the bundle', async () => {
  const uploader = asUser(app, await testSession(db, ['ROLE_ICONIK_UPLOAD']))
  const locked = { ...platform, config: { ...platform.config, bundles: ['iconik' as const] } }
  const there = asUser(createApp(locked, actionRoutes(locked)), await testSession(db, ['ROLE_ADMIN']))
  const body = { ...options, target, sources: one() }
  for (const [method, address, sent] of [
    ['GET', `${path}/storages`, undefined],
    ['GET', `${path}/storages/st-1/folders`, undefined],
    ['GET', `${path}/options`, undefined],
    ['POST', `${path}/jobs`, body],
    ['POST', `${path}/jobs/search`, { ...options, target, sources: [] }],
    ['POST', '/api/v1/actions/plans', { jobType: 'SODA_TRANSFER', payload: body }],
  ] as const) {
    await uploader(method, address, sent).expect(403)
    expect((await there(method, address, sent).expect(403)).body.message).toBe('Unlock SODA Integration')
  }
})
