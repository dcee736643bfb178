import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type IconikAnswer, IconikQuestion } from '#events/actions/iconik.ts'
import type { ActionPlan } from '#events/actions/plans.ts'
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
const ask = asUser(app, await testSession(db, ['ROLE_ICONIK_UPLOAD']))
const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/iconik'
const token = 'planted-TOKEN-7710'

const nothing: IconikAnswer = { failure: null, collections: [], storages: [] }
let answers: Record<number, IconikAnswer | undefined> = {}
const asked: [number, IconikQuestion][] = []
for (const agentId of [1, 2])
  nats.connection.subscribe(subjects.iconik(agentId), {
    callback: (_, message) => {
      asked.push([agentId, IconikQuestion.parse(message.json())])
      message.respond(JSON.stringify(answers[agentId]))
    },
  })

const newVolume = async (name: string, type: string, path: string) =>
  (await db.insertInto('volumes').values({ name, path, type }).returning('id').executeTakeFirstOrThrow()).id
let [films, songs] = [0, 0]
beforeAll(async () => {
  await db.insertInto('agents').values({ id: 2, name: 'Studio' }).execute()
  films = await newVolume('Films', 'crawl.files', '/mnt/films')
  songs = await newVolume('Songs', 'crawl.files', '/mnt/songs')
  const cluster = await newVolume('Cluster', 'DellPowerScale', '/ifs')
  const cloud = await newVolume('Cloud', 'S3', 's3://cloud')
  const file = (path: string, size: number, inode: number) => ({ path, size, inode })
  const folder = { path: '/a', isDirectory: true, inode: 2 }
  for (const volumeId of [films, songs, cluster, cloud])
    await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [
      { path: '', entries: [folder, file('/top.mov', 5, 3)] },
      { path: '/a', entries: [file('/a/one.mov', 10, 4)] },
    ])
})

const entries = [
  { name: 'iconikAppId', value: 'app-1' },
  { name: 'iconik.authtoken', value: token },
]
beforeEach(async () => {
  asked.length = 0
  answers = { 1: nothing, 2: nothing }
  await db.updateTable('agents').set({ lastActiveAt: null }).execute()
  await admin('PUT', '/api/configurations', entries).expect(200)
  await allow('')
})

const allow = (value: string) => admin('PUT', '/api/configurations', [{ name: 'iconikAgents', value }]).expect(200)
const beat = (id: number) => db.updateTable('agents').set({ lastActiveAt: new Date() }).where('id', '=', id).execute()

test('an agent that is not allowed gets no token, however new its heartbeat is', async () => {
  answers[2] = { ...nothing, storages: [{ id: 'evil', name: 'Cloud', method: 'S3', mountPoint: '' }] }
  await beat(2)
  expect((await ask('GET', `${path}/storages`).expect(200)).body).toEqual([])
  await ask('GET', `${path}/collections`).expect(200)
  expect(asked.map(([agentId]) => agentId)).toEqual([1, 1])
})

test('an allowed agent that is deleted or not connected gets no token', async () => {
  await allow('2')
  await ask('GET', `${path}/storages`).expect(200)
  await beat(2)
  await db.updateTable('agents').set({ deletedAt: new Date() }).where('id', '=', 2).execute()
  await ask('GET', `${path}/storages`).expect(200)
  await db.updateTable('agents').set({ deletedAt: null }).where('id', '=', 2).execute()
  expect(asked.map(([agentId]) => agentId)).toEqual([1, 1])
})

test('collections and storages are listed by an allowed agent, which gets the token', async () => {
  await allow('2')
  const collection = { id: 'c1', title: 'Rushes', path: 'Films/Rushes' }
  const storage = { id: 's1', name: 'Bucket', method: 'S3', mountPoint: '' }
  answers = { 2: { ...nothing, collections: [collection], storages: [storage] } }
  await beat(2)
  expect((await ask('GET', `${path}/collections`).expect(200)).body).toEqual([collection])
  const { body, text } = await ask('GET', `${path}/storages`).expect(200)
  expect(body).toEqual([storage])
  expect(text).not.toContain(token)
  const connection = { url: 'https://app.iconik.io', appId: 'app-1', token }
  expect(asked).toEqual([
    [2, { connection, list: 'collections' }],
    [2, { connection, list: 'storages' }],
  ])
})

test('an agent that cannot reach Iconik is followed by the next, and the first error is reported', async () => {
  const failure = { message: 'Iconik refuses the token', debugMessage: 'HTTP 401' }
  await allow('2')
  await beat(2)
  answers = { 1: nothing, 2: { ...nothing, failure } }
  await ask('GET', `${path}/storages`).expect(200)
  expect(asked.map(([agentId]) => agentId)).toEqual([2, 1])
  answers = { 1: { ...nothing, failure: { message: 'No route', debugMessage: '' } }, 2: { ...nothing, failure } }
  expect((await ask('GET', `${path}/storages`).expect(502)).body).toEqual({
    ...failure,
    code: 'iconik',
    title: 'Unable to get the list of storages from Iconik.',
  })
})

test('without a configuration the message names the settings', async () => {
  await admin('PUT', '/api/configurations', [{ name: 'iconikAppId', value: '' }]).expect(200)
  expect((await ask('GET', `${path}/collections`).expect(409)).body).toEqual({
    code: 'not-configured',
    message:
      'Iconik is not configured. Set the Application ID and the Application Token in Settings > Data > Iconik Integration.',
  })
  expect(asked).toEqual([])
})

const chosen = { collectionId: null, storageId: 's1', storageType: 'S3' }
const plan = async (request: object) =>
  (await ask('POST', '/api/v1/actions/plans', request).expect(200)).body as ActionPlan

test('files of local file storages are uploaded under their path in the storage, each storage by its agent', async () => {
  await db.updateTable('volumes').set({ agentId: 2 }).where('id', '=', songs).execute()
  const paths = { ...chosen, dataIntellPaths: ['/mnt/films/a', '/mnt/songs', '/ifs/a', 's3://cloud/top.mov'] }
  const planned = await plan({ jobType: 'ICONIK_UPLOAD', payload: paths })
  expect(planned).toMatchObject({ files: 3, bytes: 25 })
  const { rows } = (await ask('GET', `/api/v1/actions/plans/${planned.id}/files`).expect(200)).body
  expect(rows.map(({ place, leftOut }: { place: string; leftOut: string }) => leftOut || place)).toEqual([
    '/a/one.mov',
    '/top.mov',
    '/a/one.mov',
    'Not on a local file storage',
    'Not on a file storage',
  ])
  const { jobId } = (await ask('POST', `${path}/jobs`, paths).expect(200)).body
  expect((await findJob(db, jobId))?.tasks).toMatchObject([
    { serverId: 1, payload: { system: films, files: 1 } },
    { serverId: 2, payload: { system: songs, files: 2 } },
  ])
})

test('of the results of a search, those on local file storages are uploaded', async () => {
  const search = `${path}/jobs/search?search=mov&isDirectory=false&indexingDate=2026-01-02`
  const { jobId } = (await ask('POST', search, { ...chosen, dataIntellPaths: [] }).expect(200)).body
  const job = await findJob(db, jobId)
  expect(job).toMatchObject({ type: 'ICONIK_UPLOAD_SEARCH_RESULT', payload: { ...chosen, filters: { search: 'mov' } } })
  expect(job?.tasks).toMatchObject([{ payload: { system: films, files: 2 } }, { payload: { system: songs, files: 2 } }])
  const payload = { ...chosen, isDirectory: false, criteria: { searchQueries: [{ size: { min: 1 } }] } }
  const { leftOut } = await plan({ jobType: 'ICONIK_UPLOAD_SEARCH_RESULT', payload })
  expect(leftOut.map(({ reason, files }) => [reason, files]).sort()).toEqual([
    ['Not on a file storage', 2],
    ['Not on a local file storage', 2],
  ])
})

test('an order has the application of the settings, and none without them', async () => {
  const payload = { collectionId: 'c1', storageId: 's1', storageType: 'FILE', dataIntellPaths: ['/mnt/films'] }
  const order = () =>
    orderOf(platform, { id: 7, type: 'ICONIK_UPLOAD', payload }, { payload: {} as Task['payload'] }, 1)
  const connection = { url: 'https://app.iconik.io', appId: 'app-1', token }
  const { dataIntellPaths: _, ...target } = payload
  expect((await order()).system).toEqual({ kind: 'upload', connection, ...target })
  await admin('PUT', '/api/configurations', [{ name: 'iconik.authtoken', value: '' }]).expect(200)
  await expect(order()).rejects.toThrow('Iconik is not configured.')
})

test.each([
  [{ storageId: '' }, 'storageId'],
  [{ storageId: null }, 'storageId'],
  [{ storageType: 'FTP' }, 'storageType'],
  [{ collectionId: 7 }, 'collectionId'],
  [{ dataIntellPaths: [] }, 'dataIntellPaths'],
  [{ dataIntellPaths: ['/srv/x'] }, 'dataIntellPaths.0'],
])('%j is refused by name', async (wrong, field) => {
  const body = { ...chosen, dataIntellPaths: ['/mnt/films'], ...wrong }
  expect((await ask('POST', `${path}/jobs`, body).expect(400)).body.subErrors).toMatchObject([{ field }])
})

test('every call needs the role and the bundle', async () => {
  const other = asUser(app, await testSession(db, ['ROLE_SODA_TRANSFER']))
  const locked = { ...platform, config: { ...platform.config, bundles: ['soda' as const] } }
  const there = asUser(createApp(locked, actionRoutes(locked)), await testSession(db, ['ROLE_ADMIN']))
  const body = { ...chosen, dataIntellPaths: ['/mnt/films'] }
  for (const [method, address, sent] of [
    ['GET', `${path}/collections`, undefined],
    ['GET', `${path}/storages`, undefined],
    ['POST', `${path}/jobs`, body],
    ['POST', `${path}/jobs/search`, { ...chosen, dataIntellPaths: null }],
    ['POST', '/api/v1/actions/plans', { jobType: 'ICONIK_UPLOAD', payload: body }],
  ] as const) {
    await other(method, address, sent).expect(403)
    expect((await there(method, address, sent).expect(403)).body.message).toBe('Unlock Iconik Integration')
  }
})
