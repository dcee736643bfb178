import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { scanRoutes } from '#server/scanning/scans/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { storageRoutes } from '#server/scanning/storages/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { bucketRoutes } from './routes.ts'
import { bucketAgent, credentials, credentialsPath, path, planted } from './testing.ts'
import { storeOf } from './storeOf.ts'

const platform = await testPlatform()
const storagePrice = await testPriceBook(platform.db)
const { db } = platform
const routes = [...bucketRoutes(platform), ...scanRoutes(platform), ...storageRoutes(platform)]
const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))
const azure = `DefaultEndpointsProtocol=https;AccountName=studio;AccountKey=${planted};EndpointSuffix=core.windows.net`
const noAccount = 'must contain AccountName= or BlobEndpoint=, as the Azure portal shows it'
const agent = bucketAgent(platform)

const addCredentials = async (more: object = {}): Promise<number> =>
  (await ask('POST', credentialsPath, { ...credentials, ...more }).expect(200)).body.id
const draft = (awsCredentialsId: number, more: object = {}) => ({
  name: 'films',
  description: 'Films in the cloud',
  type: 'S3',
  region: 'eu-west-1',
  path: '',
  awsCredentialsId,
  storagePrice,
  requestsPerSecond: null,
  countsVersions: false,
  inventory: '',
  prefix: '',
  requesterPays: false,
  teamSpace: false,
  queue: '',
  ...more,
})
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field} ${message}`)

test('credentials can be deleted after the bucket that used them', async () => {
  const id = await addCredentials()
  const bucket = (await ask('POST', path, draft(id)).expect(200)).body.id
  await ask('DELETE', `${credentialsPath}/${id}`).expect(409)
  await ask('DELETE', `${path}/${bucket}`).expect(204)
  await ask('DELETE', `${credentialsPath}/${id}`).expect(204)
  expect((await ask('GET', credentialsPath).expect(200)).body.total).toBe(0)
})

test('a bucket is added, listed, changed and deleted', async () => {
  const id = await addCredentials()
  const bucket = (await ask('POST', path, draft(id)).expect(200)).body.id
  const listed = await ask('GET', `${path}?sort=description`).expect(200)
  expect(listed.body).toMatchObject({ total: 1, sort: 'description', direction: 'asc' })
  const [{ volumeSettingId, ...first }] = listed.body.elements
  const priced = { storagePrice: { ...storagePrice, description: expect.any(String) } }
  expect(first).toEqual({ ...draft(id), ...priced, id: bucket, namespace: '', readMedia: false, pace: null })
  expect(await storeOf(platform, volumeSettingId)).toEqual({
    type: 'S3',
    region: 'eu-west-1',
    namespace: '',
    endpoint: '',
    bucket: 'films',
    accessKey: 'AKIA1',
    secretKey: planted,
  })
  await ask('PUT', `${path}/${bucket}`, draft(id, { name: 'rushes', description: 'Rushes' })).expect(204)
  expect((await ask('GET', path)).body.elements).toMatchObject([{ name: 'rushes', description: 'Rushes' }])
  await ask('DELETE', `${path}/${bucket}`).expect(204)
  expect((await ask('GET', path)).body.total).toBe(0)
  await ask('PUT', `${path}/${bucket}`, draft(id)).expect(404)
})

test('the options of a bucket reach the agent, and can be taken back', async () => {
  const id = await addCredentials()
  const options = { requestsPerSecond: 40, countsVersions: true, inventory: 's3://reports/inventory/films/daily' }
  const bucket = (await ask('POST', path, draft(id, { ...options, readMedia: true })).expect(200)).body.id
  expect((await ask('GET', path)).body.elements).toMatchObject([{ ...options, readMedia: true }])
  expect(agent.asked?.store).toMatchObject(options)
  await ask('PUT', `${path}/${bucket}`, draft(id)).expect(204)
  expect(agent.asked?.store).not.toHaveProperty('requestsPerSecond')
  expect(agent.asked?.store).not.toHaveProperty('countsVersions')
  expect(agent.asked?.store).not.toHaveProperty('inventory')
})

test('a bucket is followed by a queue of its own, whose URL reaches the agent', async () => {
  const id = await addCredentials()
  const queue = 'https://sqs.eu-west-1.amazonaws.com/123456789012/films'
  const bucket = (await ask('POST', path, draft(id, { queue })).expect(200)).body.id
  const volume = await db.selectFrom('volumes').select(['id', 'followsChanges']).executeTakeFirstOrThrow()
  expect([volume.followsChanges, (await storeOf(platform, volume.id)) as object]).toMatchObject([true, { queue }])
  const { body } = await ask('POST', path, draft(id, { queue, description: 'Other' })).expect(400)
  expect(wrongOf(body)).toEqual(['queue is used by Films in the cloud. Each storage needs a queue of its own.'])
  await ask('PUT', `${path}/${bucket}`, draft(id, { queue, description: 'Renamed' })).expect(204)
  for (const [more, message] of [
    [{ queue: 'films' }, 'queue must be an address that begins with https:// or http://'],
    [{ queue: 'https://u:p@sqs/films' }, 'queue must not contain a user or a password'],
    [{ queue, inventory: 's3://a/b' }, "queue can't be used with S3 Inventory, which shows an earlier state"],
    [{ queue, type: 'DROPBOX', region: '', name: '', path: '/' }, 'queue is for S3 alone'],
  ] as const)
    expect(wrongOf((await ask('PUT', `${path}/${bucket}`, draft(id, more)).expect(400)).body)).toContain(message)
  await ask('PUT', `${path}/${bucket}`, draft(id)).expect(204)
  expect(await db.selectFrom('volumes').select('followsChanges').execute()).toEqual([{ followsChanges: false }])
})

test('old versions of Azure are counted on request, and old versions of Dropbox never', async () => {
  const id = await addCredentials({ type: 'AZURE', accessKey: azure, privateKey: '' })
  await ask('POST', path, draft(id, { type: 'AZURE', region: '', countsVersions: true })).expect(200)
  expect((await ask('GET', path)).body.elements).toMatchObject([{ countsVersions: true }])
  expect(agent.asked?.store).toMatchObject({ type: 'AZURE', countsVersions: true })
  const dropbox = draft(id, { type: 'DROPBOX', region: '', name: '', path: '/', countsVersions: true })
  const { body } = await ask('POST', path, dropbox).expect(400)
  expect(body.subErrors).toMatchObject([{ field: 'countsVersions', message: 'is for S3 and Azure alone' }])
})

test('the starting point of a bucket and who pays reach the agent, also for the check', async () => {
  const id = await addCredentials()
  const access = { prefix: '/films/2024 /', requesterPays: true }
  const bucket = (await ask('POST', path, draft(id, access)).expect(200)).body.id
  expect(agent.asked).toMatchObject({ type: 'access', store: { prefix: 'films/2024 ', requesterPays: true } })
  expect((await ask('GET', path)).body.elements).toMatchObject([{ prefix: 'films/2024 ', requesterPays: true }])
  expect(await db.selectFrom('volumes').select('path').execute()).toEqual([{ path: 's3://films/films/2024 ' }])
  await ask('PUT', `${path}/${bucket}`, draft(id)).expect(204)
  for (const field of Object.keys(access)) expect(agent.asked?.store).not.toHaveProperty(field)
})

test('a session token goes in with its keys, stays with them, and goes with them', async () => {
  const sessionToken = `${planted}-token`
  const id = await addCredentials({ sessionToken })
  await ask('POST', path, draft(id)).expect(200)
  const bucket = (await ask('GET', path)).body.elements[0].id
  const change = async (keys: object) => {
    await ask('PUT', `${credentialsPath}/${id}`, { ...credentials, ...keys }).expect(204)
    await ask('PUT', `${path}/${bucket}`, draft(id)).expect(204)
    return agent.asked?.store
  }
  expect(agent.asked?.store).toMatchObject({ accessKey: 'AKIA1', sessionToken })
  expect(await change({ name: 'Stage', accessKey: null, privateKey: null })).toMatchObject({ sessionToken })
  expect(await change({ accessKey: 'AKIA2', sessionToken: 'another' })).toMatchObject({ sessionToken: 'another' })
  expect(await change({ accessKey: 'AKIA3' })).not.toHaveProperty('sessionToken')
  const stored = [
    await db.selectFrom('bucketCredentials').selectAll().execute(),
    await db.selectFrom('events').select('data').execute(),
  ]
  expect(JSON.stringify(stored)).not.toContain(sessionToken)
})

test('keys are stored and never returned, and null keeps them', async () => {
  const id = await addCredentials()
  const { body } = await ask('GET', credentialsPath)
  expect(body.elements).toEqual([{ id, name: 'Studio', type: 'S3', signIn: 'keys', url: '', isPasswordLost: false }])
  await ask('PUT', `${credentialsPath}/${id}`, {
    ...credentials,
    name: 'Stage',
    accessKey: null,
    privateKey: null,
  }).expect(204)
  await ask('POST', path, draft(id)).expect(200)
  expect(agent.asked?.store).toMatchObject({ accessKey: 'AKIA1', secretKey: planted, bucket: 'films' })
  const stored = [
    await db.selectFrom('bucketCredentials').selectAll().execute(),
    await db.selectFrom('events').select('data').execute(),
  ]
  expect(JSON.stringify(stored)).not.toContain(planted)
  const refused = await ask('DELETE', `${credentialsPath}/${id}`).expect(409)
  expect(refused.body.message).toContain('Films in the cloud')
})

test.each([
  [{ name: '' }, 'name must be between 1 and 255 characters'],
  [{ type: 'FTP' }, 'type must be one of S3, ORACLE_OBJECT_STORAGE, BACKBLAZE_B2, WASABI, AZURE, DROPBOX, OTHER'],
  [{ accessKey: '' }, 'accessKey must be between 1 and 10000 characters'],
  [{ privateKey: null }, 'privateKey is required'],
  [{ privateKey: undefined }, 'privateKey must be between 1 and 255 characters'],
  [{ type: 'AZURE', accessKey: azure }, 'privateKey is for providers that have two keys'],
  [{ type: 'AZURE', privateKey: '', accessKey: planted }, `accessKey ${noAccount}`],
  [{ type: 'AZURE', privateKey: '', accessKey: `AccountName=;AccountKey=${planted}` }, `accessKey ${noAccount}`],
  [{ type: 'DROPBOX', privateKey: '' }, 'type is set up with POST and PUT of /v1/dropbox-credentials'],
  [{ type: 'AZURE', privateKey: '', accessKey: azure, sessionToken: 'x' }, 'sessionToken is for S3 alone'],
  [{ type: 'OTHER' }, 'url must be between 1 and 255 characters'],
  [{ type: 'OTHER', url: 'ftp://a' }, 'url must be an address that begins with https:// or http://'],
  [{ type: 'OTHER', url: 'https://a:b@c' }, 'url must not contain a user or a password'],
  [{ url: 'https://a' }, 'url is for Custom S3 alone'],
])('credentials with %j are refused by name', async (wrong, message) => {
  const { body, text } = await ask('POST', credentialsPath, { ...credentials, ...wrong }).expect(400)
  expect(wrongOf(body)).toEqual([message])
  expect(text).not.toContain(planted)
})

test.each([
  [{ name: ' ' }, "name Bucket Name can't be empty"],
  [{ description: '' }, "description DataIntell Name can't be empty"],
  [{ region: '' }, "region Region can't be empty"],
  [{ region: 'eu/../x' }, 'region must be letters, digits and hyphens'],
  [{ awsCredentialsId: 0 }, "awsCredentialsId Credentials can't be empty"],
  [{ awsCredentialsId: 77 }, 'awsCredentialsId must be credentials that exist'],
  [{ requestsPerSecond: 0 }, 'requestsPerSecond must be a whole number from 1 to 10000'],
  [{ requestsPerSecond: 1.5 }, 'requestsPerSecond must be a whole number from 1 to 10000'],
  [{ type: 'WASABI' }, 'awsCredentialsId must be credentials of the same type'],
  [{ type: 'AZURE', region: '', requestsPerSecond: 5 }, 'requestsPerSecond is for S3 alone'],
  [{ type: 'DROPBOX', region: '', name: '', path: '/', readMedia: true }, 'readMedia is for S3 and Azure alone'],
  [{ storagePrice: { id: 77 } }, 'storagePrice.id must be a price book that exists'],
  [{ path: '/films' }, 'path is for Dropbox alone'],
  [{ inventory: 'reports/daily' }, 'inventory must be like s3://reports/inventory/films/daily'],
  [{ type: 'AZURE', region: '', requesterPays: true }, 'requesterPays is for S3 alone'],
  [{ teamSpace: true }, 'teamSpace is for Dropbox alone'],
  [{ inventory: 's3://reports/' }, 'inventory must be like s3://reports/inventory/films/daily'],
])('a bucket with %j is refused by name, and nothing is added', async (wrong, message) => {
  const { body } = await ask('POST', path, draft(await addCredentials(), wrong)).expect(400)
  expect(wrongOf(body)).toEqual([message])
  expect((await ask('GET', path)).body.total).toBe(0)
})

test('a container of Azure is known by its connection string alone', async () => {
  const sent = { name: 'Azure', type: 'AZURE', accessKey: azure }
  const { id } = (await ask('POST', credentialsPath, sent).expect(200)).body
  await ask('PUT', `${credentialsPath}/${id}`, { ...sent, accessKey: null, privateKey: null }).expect(204)
  await ask('POST', path, draft(id, { type: 'AZURE', region: '' })).expect(200)
  expect(agent.asked?.store).toEqual({ type: 'AZURE', container: 'films', connectionString: azure })
  expect(await db.selectFrom('volumes').select(['type', 'path']).execute()).toEqual([
    { type: 'AZURE', path: 'azure://films' },
  ])
  agent.answer = { reason: null, names: ['films', 'rushes'] }
  expect((await ask('POST', `${path}/names?credentialsId=${id}`).expect(200)).body).toEqual(['films', 'rushes'])
  const events = await db.selectFrom('events').select('data').execute()
  expect(JSON.stringify(events)).not.toContain(planted)
})

test('credentials keep their type, for buckets have the same', async () => {
  const id = await addCredentials()
  const { body } = await ask('PUT', `${credentialsPath}/${id}`, { ...credentials, type: 'WASABI' }).expect(400)
  expect(wrongOf(body)).toEqual(['type cannot be changed'])
})

test('the name of a bucket of Oracle begins with its namespace, given or not', async () => {
  const type = 'ORACLE_OBJECT_STORAGE'
  const id = await addCredentials({ type })
  const oracle = (more: object) => draft(id, { type, region: 'eu-frankfurt-1', ...more })
  expect(wrongOf((await ask('POST', path, oracle({})).expect(400)).body)).toEqual([
    "namespace Namespace can't be empty",
  ])
  await ask('POST', path, oracle({ namespace: 'axy', name: 'my.films' })).expect(200)
  expect(agent.asked?.store).toMatchObject({ namespace: 'axy', bucket: 'my.films' })
  await ask('POST', path, oracle({ name: 'axy.my.rushes', description: 'Rushes' })).expect(200)
  expect(agent.asked?.store).toMatchObject({ namespace: 'axy', bucket: 'my.rushes' })
  expect((await ask('GET', path)).body.elements).toMatchObject([
    { name: 'axy.my.films', namespace: 'axy' },
    { name: 'axy.my.rushes', namespace: 'axy' },
  ])
})

test('the list of storages names their credentials, and a Custom S3 at the address of Google is of Google', async () => {
  const at = async (name: string, url: string) =>
    ask('POST', path, draft(await addCredentials({ name, type: 'OTHER', url }), { type: 'OTHER', description: name }))
  await at('Google', 'https://storage.googleapis.com')
  await at('Other', 'https://storage.googleapis.com.example.com')
  await ask('POST', path, draft(await addCredentials())).expect(200)
  const { elements } = (await ask('GET', '/api/v1/storages?sort=TYPE&direction=ASC').expect(200)).body
  expect(elements).toMatchObject([
    { name: 'Google', type: 'GOOGLE', account: 'Google' },
    { name: 'Other', type: 'OTHER', account: 'Other' },
    { name: 'Films in the cloud', type: 'S3', account: 'Studio' },
  ])
})

test('the names of buckets are those that the provider tells, or what it says', async () => {
  const id = await addCredentials()
  const names = () => ask('POST', `${path}/names?credentialsId=${id}&region=eu-west-1`)
  agent.answer = { reason: null, names: ['films', 'rushes'] }
  expect((await names().expect(200)).body).toEqual(['films', 'rushes'])
  expect(agent.asked).toMatchObject({ type: 'names', store: { bucket: '', region: 'eu-west-1', accessKey: 'AKIA1' } })
  agent.answer = { reason: 'The access key is not known', names: [] }
  const { status, body } = await names()
  expect([status, body]).toEqual([502, { message: 'The access key is not known', code: 'provider' }])
  expect((await ask('POST', `${path}/names?credentialsId=99`)).status).toBe(404)
})

test('a bucket that cannot be listed is there all the same, and its answer says so by its code', async () => {
  const id = await addCredentials()
  agent.answer = { reason: 'There is no bucket films', names: [] }
  const created = await ask('POST', path, draft(id))
  expect([created.status, created.body]).toEqual([
    422,
    { message: 'Bucket created, but it cannot be scanned: There is no bucket films', code: 'bucket-created' },
  ])
  const [{ id: bucket }] = (await ask('GET', path)).body.elements
  const updated = await ask('PUT', `${path}/${bucket}`, draft(id))
  expect([updated.status, updated.body.code]).toEqual([422, 'bucket-updated'])
})

test('a scan of buckets is a job of its own type', async () => {
  const id = await addCredentials()
  const bucket = (await ask('POST', path, draft(id)).expect(200)).body.id
  const { body } = await ask('POST', '/api/v1/scans/buckets/ids?cloneIndex=true', [bucket]).expect(200)
  const job = await db.selectFrom('jobs').select(['id', 'type', 'payload']).executeTakeFirst()
  expect(job).toEqual({ id: body.jobId, type: 'SCAN_CLOUD', payload: { bucketsId: [bucket], cloneIndex: true } })
  expect((await ask('POST', '/api/v1/scans/buckets/ids?cloneIndex=true', [99])).status).toBe(404)
  expect((await ask('POST', '/api/v1/scans/buckets/ids?cloneIndex=true', [bucket])).status).toBe(409)
})
