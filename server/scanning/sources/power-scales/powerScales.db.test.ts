import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { storageRoutes } from '#server/scanning/storages/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { sourceOrderOf, sourceRoutes, sourceVolumes } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const storagePrice = await testPriceBook(db)
const app = createApp(platform, [...sourceRoutes(platform), ...storageRoutes(platform)])
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/powerScales'
const planted = 'planted-PASSWORD-7731'
const credential = { name: 'Cluster', username: 'scan', password: planted }
const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':')

beforeEach(async () => {
  await sql`TRUNCATE volumes, power_scale_credentials, events, configurations RESTART IDENTITY CASCADE`.execute(db)
  await ask('POST', `${path}/credentials`, credential).expect(200)
})

const draft = {
  host: 'isilon.example.com:8081',
  dataintellName: 'Renders',
  path: '/ifs/data/renders',
  scanType: 'VOLUME_MULTITHREAD',
  dellPowerScaleCredentials: { id: 1 },
  storagePrice,
  serverId: 1,
  volumeIgnoreRules: [{ path: '/tmp' }],
  fullScanSnapshotExpiresDays: 7,
  deltaScanSnapshotExpiresDays: 3,
  certificateFingerprint: '',
}
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field} ${message}`)

test('a storage is added, listed, read by its id, changed and deleted', async () => {
  const { id } = (await ask('POST', path, draft).expect(200)).body
  const [record] = (await ask('GET', path).expect(200)).body.elements
  expect(record).toEqual({ ...draft, id, volumeSettingId: expect.any(Number), sizeBasis: 'onDisk', pace: null })
  expect((await ask('GET', `${path}/${id}`).expect(200)).body).toEqual(record)
  await ask('PUT', `${path}/${id}`, {
    ...record,
    path: '/ifs/',
    sizeBasis: 'apparent',
    deltaScanSnapshotExpiresDays: 1,
  }).expect(204)
  expect((await ask('GET', `${path}/${id}`)).body).toMatchObject({
    path: '/ifs',
    sizeBasis: 'apparent',
    deltaScanSnapshotExpiresDays: 1,
  })
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('GET', `${path}/${id}`).expect(404)
  await ask('PUT', `${path}/${id}`, draft).expect(404)
})

test('users see it with its cluster and its credentials, and scans find it by its id', async () => {
  const { id } = (await ask('POST', path, draft)).body
  const { elements } = (await ask('GET', '/api/v1/storages').expect(200)).body
  expect(elements).toMatchObject([{ name: 'Renders', type: 'DellPowerScale', account: 'Cluster' }])
  const volume = await db.selectFrom('volumes').select(['id', 'path']).executeTakeFirstOrThrow()
  expect(volume.path).toBe('isilon.example.com:/ifs/data/renders')
  const found = (ids: number[] | 'all') => db.transaction().execute((trx) => sourceVolumes(trx, 'powerScale', ids))
  expect([await found('all'), await found([id, 77])]).toEqual([
    [{ id, volumeId: volume.id }],
    [{ id, volumeId: volume.id }],
  ])
})

test('its agent is sent the password, the retention of snapshots, and the configured threads', async () => {
  await ask('POST', path, { ...draft, certificateFingerprint: fingerprint.replaceAll(':', '').toLowerCase() }).expect(
    200,
  )
  const volume = await db.selectFrom('volumes').select(['id', 'type', 'path']).executeTakeFirstOrThrow()
  const order = {
    kind: 'powerScale',
    host: draft.host,
    path: draft.path,
    username: 'scan',
    password: planted,
    fingerprint,
    fullSnapshotDays: 7,
    deltaSnapshotDays: 3,
    threads: 8,
    isDelta: true,
  }
  expect(await sourceOrderOf(platform, volume, { isDelta: true })).toEqual(order)
  await db.insertInto('configurations').values({ name: 'scanDellPowerscaleNumberOfThreads', value: '2' }).execute()
  expect(await sourceOrderOf(platform, volume, { isDelta: false })).toEqual({ ...order, threads: 2, isDelta: false })
})

test.each([
  ['https://isilon.example.com', 'isilon.example.com'],
  ['HTTPS://isilon.example.com:8080/OneFS#login', 'isilon.example.com:8080'],
  ['https://10.0.0.5:443/', '10.0.0.5:443'],
  [' https://[fd00::5]:8080?a=b', '[fd00::5]:8080'],
])('the address %j is stored as its host and port', async (host, stored) => {
  const { id } = (await ask('POST', path, { ...draft, host }).expect(200)).body
  expect((await ask('GET', `${path}/${id}`).expect(200)).body).toMatchObject({ host: stored })
})

const days = 'must be a whole number from'
test.each([
  [{ host: '' }, 'host must be between 1 and 255 characters'],
  [{ host: 'two hosts' }, 'host must be a host name, an IPv4 address or an IPv6 address in brackets'],
  [{ host: 'isilon:0' }, 'host must have a port from 1 to 65535'],
  [{ host: 'https://isilon:99999/' }, 'host must have a port from 1 to 65535'],
  [{ host: 'https://root@isilon' }, 'host must be a host name, an IPv4 address or an IPv6 address in brackets'],
  [{ host: 'https://' }, 'host must be a host name, an IPv4 address or an IPv6 address in brackets'],
  [{ host: 'http://isilon:8080' }, 'host must begin with https:// or be a host: the cluster has no API without TLS'],
  [{ dataintellName: 'x'.repeat(256) }, 'dataintellName must be between 1 and 255 characters'],
  [{ path: '/data' }, 'path must be /ifs or a folder below it'],
  [{ path: '/ifs/../etc' }, 'path must name each folder, without . and ..'],
  [{ path: `/ifs/${'x'.repeat(255)}` }, 'path must be between 1 and 255 characters'],
  [{ fullScanSnapshotExpiresDays: -1 }, `fullScanSnapshotExpiresDays ${days} 0 to 36500`],
  [{ deltaScanSnapshotExpiresDays: 0 }, `deltaScanSnapshotExpiresDays ${days} 1 to 36500`],
  [{ dellPowerScaleCredentials: { id: 77 } }, 'dellPowerScaleCredentials.id must be credentials that exist'],
  [{ dellPowerScaleCredentials: null }, "dellPowerScaleCredentials can't be empty"],
  [{ storagePrice: undefined }, "storagePrice can't be empty"],
  [{ serverId: 77 }, 'serverId must be an agent that exists'],
  [{ certificateFingerprint: 'AB:CD' }, 'certificateFingerprint must be 64 hexadecimal digits, with or without colons'],
])('%j is refused by name, and nothing is added', async (wrong, message) => {
  expect(wrongOf((await ask('POST', path, { ...draft, ...wrong }).expect(400)).body)).toEqual([message])
  expect((await ask('GET', path)).body.total).toBe(0)
})

test('hosts may be addresses, and a fingerprint may be null', async () => {
  const hosts = ['10.0.0.1', '[::1]', '[::1]:8080', 'isilon']
  for (const host of hosts)
    await ask('POST', path, { ...draft, host, dataintellName: host, certificateFingerprint: null }).expect(200)
  expect((await ask('GET', `${path}?sort=id`)).body.elements).toMatchObject(
    hosts.map((host) => ({ host, certificateFingerprint: '' })),
  )
})

test('credentials are listed and read without their password, and those in use stay', async () => {
  const known = { id: 1, name: 'Cluster', username: 'scan', isPasswordLost: false }
  expect((await ask('GET', `${path}/credentials`).expect(200)).body.elements).toEqual([known])
  expect((await ask('GET', `${path}/credentials/1`).expect(200)).body).toEqual(known)
  await ask('GET', `${path}/credentials/77`).expect(404)
  const { id } = (await ask('POST', path, draft)).body
  const used = await ask('DELETE', `${path}/credentials/1`).expect(409)
  expect(used.body.message).toBe('Credentials Cluster are used by Renders. Assign other credentials to each first.')
  await ask('PUT', `${path}/credentials/1`, { ...credential, password: null, name: 'Renamed' }).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('DELETE', `${path}/credentials/1`).expect(204)
})

test('a password is stored and never returned: in no answer, row or event', async () => {
  const answers = [
    await ask('PUT', `${path}/credentials/1`, { ...credential, password: `${planted}-2` }).expect(204),
    await ask('POST', `${path}/credentials`, credential).expect(400),
    await ask('GET', `${path}/credentials`).expect(200),
  ]
  const stored = await db.selectFrom('powerScaleCredentials').selectAll().execute()
  const events = await db.selectFrom('events').selectAll().execute()
  expect(JSON.stringify([answers.map(({ body }) => body), stored, events])).not.toContain(planted)
})

test('a folder is tried by the agent of its storage before it is saved', async () => {
  let answer: object | undefined = { reason: null, field: null, isEmpty: false, folders: [], hasMore: false }
  let asked: unknown
  platform.nats.connection.subscribe(subjects.look(1), {
    callback: (_, message) => {
      asked = message.json()
      if (answer) message.respond(JSON.stringify(answer))
    },
  })
  const { host, path: folder, dellPowerScaleCredentials, serverId, certificateFingerprint } = draft
  const checked = { host, path: folder, dellPowerScaleCredentials, serverId, certificateFingerprint }
  const check = async () => (await ask('POST', `${path}/check`, checked).expect(200)).body
  expect(await check()).toEqual({ reason: null, field: null })
  expect(asked).toMatchObject({ kind: 'powerScale', host: draft.host, path: draft.path, password: planted })
  answer = { ...answer, reason: "isilon.example.com can't list /ifs/data/renders: it does not exist.", field: 'path' }
  expect(await check()).toEqual({
    reason: "isilon.example.com can't list /ifs/data/renders: it does not exist.",
    field: 'path',
  })
  await ask('POST', `${path}/check`, { ...checked, dellPowerScaleCredentials: { id: 77 } }).expect(404)
  expect((await ask('GET', path)).body.total).toBe(0)
})
