import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type ArchiwareAnswer, ArchiwareQuestion } from '#events/sources/archiwareQuestion.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { storageRoutes } from '#server/scanning/storages/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { sourceOrderOf, sourceRoutes } from '../index.ts'

const platform = await testPlatform()
const { db, nats } = platform
const storagePrice = await testPriceBook(db)
const routes = [...sourceRoutes(platform), ...storageRoutes(platform)]
const app = createApp(platform, routes)
const session = await testSession(db, ['ROLE_ADMIN'])
const ask = asUser(app, session)
const path = '/api/v1/archiwares'
const planted = 'planted-PASSWORD-3390'
const credential = {
  name: 'Tapes',
  username: 'p5',
  password: planted,
  url: 'https://p5.example.com:8443',
  certificateFingerprint: '',
}
const connection = { url: credential.url, username: 'p5', password: planted }

/** The answer of the agent, and the questions it received. */
const nothing: ArchiwareAnswer = { failure: null, names: [], plans: [] }
let answer: ArchiwareAnswer | undefined
const asked: ArchiwareQuestion[] = []
nats.connection.subscribe(subjects.archiware(1), {
  callback: (_, message) => {
    asked.push(ArchiwareQuestion.parse(message.json()))
    if (answer) message.respond(JSON.stringify(answer))
  },
})

beforeEach(async () => {
  await sql`TRUNCATE volumes, archiware_credentials, events RESTART IDENTITY CASCADE`.execute(db)
  await ask('POST', `${path}/credentials`, credential).expect(200)
  asked.length = 0
  answer = nothing
})

const draft = {
  indexId: 'Default-Archive',
  path: '/mnt/projects',
  name: 'Projects on tape',
  archiwareP5Credential: { id: 1 },
  storagePrice,
  serverId: 1,
}
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field}: ${message}`)

test('an index is added, listed, changed and deleted, and sent to its agent with the password', async () => {
  const { id } = (await ask('POST', path, draft).expect(200)).body
  const [record] = (await ask('GET', path).expect(200)).body.elements
  expect(record).toEqual({ ...draft, id, volumeSettingId: expect.any(Number), pace: null })
  const { elements } = (await ask('GET', '/api/v1/storages').expect(200)).body
  expect(elements).toMatchObject([{ name: 'Projects on tape', type: 'Archiware', account: 'Tapes' }])
  const volume = await db.selectFrom('volumes').select(['id', 'type', 'path']).executeTakeFirstOrThrow()
  expect(volume.path).toBe('p5://Default-Archive/mnt/projects')
  const order = { kind: 'archiware', ...connection, index: 'Default-Archive', path: '/mnt/projects' }
  expect(await sourceOrderOf(platform, volume, { isDelta: true })).toEqual(order)
  await ask('PUT', `${path}/${id}`, { ...record, path: 'Volumes//a/' }).expect(204)
  expect((await ask('GET', path)).body.elements).toMatchObject([{ path: '/Volumes/a' }])
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('PUT', `${path}/${id}`, draft).expect(404)
  await ask('DELETE', `${path}/credentials/1`).expect(204)
})

test.each([
  [{ indexId: '' }, "indexId: IndexId can't be empty"],
  [{ path: ' ' }, "path: Path can't be empty"],
  [{ path: '/a/../b' }, 'path: must not have . or .. in it'],
  [{ name: '' }, "name: DataIntell Name can't be empty"],
  [{ archiwareP5Credential: null }, "archiwareP5Credential: Credentials can't be empty"],
  [{ archiwareP5Credential: { id: 77 } }, 'archiwareP5Credential.id: must be credentials that exist'],
  [{ serverId: 77 }, 'serverId: must be an agent that exists'],
  [{ storagePrice: undefined }, "storagePrice: can't be empty"],
])('%j is refused by name', async (wrong, message) => {
  expect(wrongOf((await ask('POST', path, { ...draft, ...wrong }).expect(400)).body)).toEqual([message])
})

test('names are unique among all storages', async () => {
  await ask('POST', '/api/volumeSettings', { name: 'PROJECTS ON TAPE', path: '/mnt/a', storagePrice }).expect(200)
  expect(wrongOf((await ask('POST', path, draft).expect(400)).body)).toEqual([
    'name: ArchiwareP5Index name should be unique,Projects on tape already exists',
  ])
  const { id } = (await ask('POST', path, { ...draft, name: 'Other' }).expect(200)).body
  expect(wrongOf((await ask('PUT', `${path}/${id}`, draft).expect(400)).body)).toEqual([
    'name: DataIntell Name must be unique',
  ])
})

test.each([
  [{ name: '' }, 'name: must be between 1 and 255 characters'],
  [{ username: '' }, 'username: must be between 1 and 255 characters'],
  [{ password: null }, 'password: is required'],
  [{ url: '' }, 'url: must not be empty or only http:// or https://'],
  [{ url: 'http://' }, 'url: must not be empty or only http:// or https://'],
  [{ url: 'p5.example.com' }, 'url: must be an address that begins with https:// or http://'],
])('credentials with %j are refused', async (wrong, message) => {
  const body = { ...credential, name: 'Other', ...wrong }
  expect(wrongOf((await ask('POST', `${path}/credentials`, body).expect(400)).body)).toEqual([message])
})

test('credentials are tried before they are saved, with the stored password where it stays', async () => {
  const check = async (changes: object = {}, id: number | null = null) =>
    (await ask('POST', `${path}/credentials/check`, { id, draft: { ...credential, ...changes } }).expect(200)).body
  answer = nothing
  expect(await check({ password: 'typed' })).toEqual({ reason: null, field: null })
  expect(asked).toMatchObject([{ type: 'indexes', connection: { ...connection, password: 'typed' } }])
  answer = { ...nothing, failure: { message: 'Sign-in refused', debugMessage: 'Wrong', field: 'credentials' } }
  expect(await check({ password: null }, 1)).toEqual({ reason: 'Sign-in refused', field: 'credentials' })
  expect(asked.at(-1)).toMatchObject({ connection })
  await ask('POST', `${path}/credentials/check`, { id: 77, draft: { ...credential, password: null } }).expect(404)
})

test('an agent names the indexes, or what P5 answered', async () => {
  answer = { ...nothing, names: ['Default-Archive', 'Tapes'] }
  const names = (agent = 1) => ask('GET', `${path}/credentials/1/indexes?serverId=${agent}`)
  expect((await names().expect(200)).body).toEqual(answer.names)
  expect(asked).toEqual([{ type: 'indexes', connection }])
  answer = {
    ...nothing,
    failure: { message: 'Sign-in refused', debugMessage: 'Wrong username or password.', field: null },
  }
  expect((await names().expect(502)).body).toEqual({
    message: 'Sign-in refused',
    code: 'archiware',
    title: 'Unable to get the list of archiwares',
    debugMessage: 'Wrong username or password.',
  })
  expect((await names(77).expect(503)).body).toMatchObject({ debugMessage: 'The agent does not answer' })
  await ask('GET', `${path}/credentials/77/indexes`).expect(404)
})

test('plans and clients are read from the servers of all indexes, each queried once', async () => {
  await ask('POST', path, draft).expect(200)
  await ask('POST', path, { ...draft, name: 'Another index of the same server' }).expect(200)
  const plan = {
    planId: '10001',
    planName: 'Films',
    index: 'Default-Archive',
    deleteFiles: false,
    deleteAll: false,
    storage: 'LTO',
  }
  answer = { ...nothing, plans: [plan], names: ['localhost'] }
  const operator = asUser(app, await testSession(db, ['ROLE_ARCHIWARE_ARCHIVE']))
  expect((await operator('GET', `${path}/plans`).expect(200)).body).toEqual([
    { ...plan, server: { id: 1, name: expect.any(String) }, credentialsId: 1, credentialsName: credential.name },
  ])
  expect((await operator('GET', `${path}/clients`).expect(200)).body).toEqual([
    { clientName: 'localhost', credentialsId: 1, credentialsName: credential.name, server: { id: 1 } },
  ])
  expect(asked.map(({ type }) => type)).toEqual(['plans', 'clients'])
  answer = { ...nothing, failure: { message: 'No answer', debugMessage: 'ECONNREFUSED', field: null } }
  expect((await operator('GET', `${path}/plans`).expect(502)).body).toMatchObject({ debugMessage: 'ECONNREFUSED' })
  const stranger = asUser(app, await testSession(db, ['ROLE_SODA_TRANSFER']))
  await stranger('GET', `${path}/plans`).expect(403)
})

test('nothing of it can be used without the bundle', async () => {
  const { id } = (await ask('POST', path, draft)).body
  const unlicensed = { ...platform, config: { ...platform.config, bundles: [] } }
  const without = asUser(createApp(unlicensed, sourceRoutes(unlicensed)), session)
  for (const call of ['', '/credentials', '/volumeMapping', '/plans', '/clients', '/credentials/1/indexes'])
    expect((await without('GET', `${path}${call}`).expect(403)).body.message).toBe('Unlock Archiware P5 Bundle')
  await without('PUT', `${path}/${id}`, draft).expect(403)
  const volume = await db.selectFrom('volumes').select(['id', 'type', 'path']).executeTakeFirstOrThrow()
  const refused = sourceOrderOf(unlicensed, volume, { isDelta: false })
  await expect(refused).rejects.toThrow('Unlock Archiware P5 Bundle')
})

test('a password is stored and never returned', async () => {
  const answers = [
    await ask('PUT', `${path}/credentials/1`, { ...credential, password: `${planted}-2` }).expect(204),
    await ask('GET', `${path}/credentials`).expect(200),
  ]
  const stored = await db.selectFrom('archiwareCredentials').selectAll().execute()
  const events = await db.selectFrom('events').selectAll().execute()
  expect(JSON.stringify([answers.map(({ body }) => body), stored, events])).not.toContain(planted)
})
