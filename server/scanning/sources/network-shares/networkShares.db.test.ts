import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { storageRoutes } from '#server/scanning/storages/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { networkShareRoutes, fileStorageRoutes, sourceOrderOf } from '../index.ts'
import { mountOf } from './mountOf.ts'

const platform = await testPlatform()
const storagePrice = await testPriceBook(platform.db)
const { db } = platform
const app = createApp(platform, [
  ...networkShareRoutes(platform),
  ...fileStorageRoutes(platform),
  ...storageRoutes(platform),
])
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/networkVolumes'

beforeEach(async () => {
  await sql`TRUNCATE volumes, network_credentials, scans, snapshots, events RESTART IDENTITY CASCADE`.execute(db)
})

const draft = {
  dataintellName: 'Media',
  type: 'SMB',
  host: 'nas.example.com',
  shareName: 'media',
  options: 'vers=3.1.1',
  path: '/shows',
  serverId: 1,
  scanType: 'HYBRID_MULTITHREAD',
  storagePrice,
  networkVolumeCredential: null,
  volumeIgnoreRules: [{ path: '/tmp' }],
  volumeIndexFolderOnlyPaths: [{ path: '/renders' }],
}
const planted = 'planted-PASSWORD-5521'
const credential = { name: 'Studio', username: 'svc_scan', password: planted, domain: 'STUDIO', options: 'sec=ntlmssp' }
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field} ${message}`)

test('a network volume is added, listed with its share, changed and deleted', async () => {
  const { body } = await ask('POST', path, draft).expect(200)
  const listed = await ask('GET', path).expect(200)
  expect(listed.body).toMatchObject({ total: 1, page: 1, sort: 'dataintellName', direction: 'asc' })
  expect(listed.body.elements).toEqual([
    { ...draft, id: body.id, volumeId: expect.any(Number), sizeBasis: 'onDisk', pace: null },
  ])
  await ask('PUT', `${path}/${body.id}`, { ...draft, type: 'NFS', shareName: '/export/media', path: '/' }).expect(204)
  expect((await ask('GET', path)).body.elements).toMatchObject([{ type: 'NFS', shareName: '/export/media', path: '/' }])
  await ask('DELETE', `${path}/${body.id}`).expect(204)
  expect((await ask('GET', path)).body.elements).toEqual([])
  await ask('DELETE', `${path}/${body.id}`).expect(404)
  await ask('PUT', `${path}/${body.id}`, draft).expect(404)
})

test('the list of storages names its credentials as its account', async () => {
  const { id } = (await ask('POST', `${path}/credentials`, credential).expect(200)).body
  await ask('POST', path, { ...draft, networkVolumeCredential: { id } }).expect(200)
  await ask('POST', '/api/volumeSettings', { name: 'Disk', path: '/mnt/disk', storagePrice }).expect(200)
  const { elements } = (await ask('GET', '/api/v1/storages?sort=NAME&direction=ASC').expect(200)).body
  expect(elements).toMatchObject([
    { name: 'Disk', account: null },
    { name: 'Media', account: 'Studio' },
  ])
})

test('it is listed among all file storages, with how it is mounted', async () => {
  await ask('POST', path, draft).expect(200)
  await ask('POST', '/api/volumeSettings', { name: 'Disk', path: '/mnt/disk', storagePrice }).expect(200)
  const kinds = async (query: string) =>
    (await ask('GET', `/api/volumeSettings?${query}`).expect(200)).body.elements.map(
      ({ name, type, mountType }: Record<string, string>) => [name, type, mountType],
    )
  const [disk, media] = [
    ['Disk', 'crawl.files', 'Local'],
    ['Media', 'NetworkVolume', 'SMB'],
  ]
  expect(await kinds('')).toEqual([disk, media])
  expect(await kinds('filterType=NetworkVolume')).toEqual([media])
  expect(await kinds('filterType=crawl.files')).toEqual([disk])
})

test('names are unique among all kinds of file storages', async () => {
  await ask('POST', '/api/volumeSettings', { name: 'MEDIA', path: '/mnt/disk', storagePrice }).expect(200)
  const taken = ['dataintellName should be unique, Media already exists']
  expect(wrongOf((await ask('POST', path, draft).expect(400)).body)).toEqual(taken)
  const { body } = await ask('POST', path, { ...draft, dataintellName: 'Other' }).expect(200)
  expect(wrongOf((await ask('PUT', `${path}/${body.id}`, draft).expect(400)).body)).toEqual(taken)
})

test.each([
  [{ host: '' }, "host can't be empty"],
  [{ host: '-o remount' }, 'host must be a host name, an IPv4 address or an IPv6 address in brackets'],
  [{ shareName: ' ' }, "shareName can't be empty"],
  [{ shareName: 'media,uid=0' }, 'shareName must not contain commas or control characters'],
  [{ type: 'NFS', shareName: 'export' }, 'shareName must be an absolute path'],
  [
    { options: 'credentials=/etc/shadow' },
    'options must not contain credentials: the sign-in is that of the credentials',
  ],
  [{ options: 'x'.repeat(10_001) }, 'options must be between 0 and 10000 characters'],
  [{ dataintellName: '' }, "dataintellName can't be empty"],
  [{ path: 'shows' }, 'path must be an absolute path'],
  [{ serverId: 77 }, 'serverId must be an agent that exists'],
  [{ networkVolumeCredential: { id: 77 } }, 'networkVolumeCredential.id must be credentials that exist'],
])('%j is refused by name, and nothing is added', async (wrong, message) => {
  const { body } = await ask('POST', path, { ...draft, ...wrong }).expect(400)
  expect(wrongOf(body)).toEqual([message])
  expect((await ask('GET', path)).body.total).toBe(0)
})

test('it is changed by its own calls only, and can be deleted as any file storage', async () => {
  await ask('POST', path, draft).expect(200)
  const [{ volumeId }] = (await ask('GET', path)).body.elements
  const { body } = await ask('PUT', `/api/volumeSettings/${volumeId}`, {
    name: 'Media',
    path: '/',
    storagePrice,
  }).expect(409)
  expect(body.message).toBe('Media is a network volume and is changed as one')
  await ask('DELETE', `/api/volumeSettings/${volumeId}`).expect(204)
  expect((await ask('GET', path)).body.total).toBe(0)
})

test('it cannot be deleted while it is scanned', async () => {
  const { body } = await ask('POST', path, draft)
  const [{ volumeId }] = (await ask('GET', path)).body.elements
  const scan = { volumeId, state: 'running', indexingDate: '2026-01-01', jobId: 1, taskId: 1, agentId: 1 } as const
  await db.insertInto('scans').values(scan).execute()
  const refused = await ask('DELETE', `${path}/${body.id}`).expect(409)
  expect(refused.body.message).toBe(
    'A scan of Media is waiting or running. Delete the storage after the scan has ended.',
  )
})

test('mounts of an agent have the options of both and the password; NFS has no credentials', async () => {
  const { id } = (await ask('POST', `${path}/credentials`, credential)).body
  const signed = { ...draft, networkVolumeCredential: { id } }
  const { body } = await ask('POST', path, signed)
  const [{ volumeId }] = (await ask('GET', path)).body.elements
  expect(await mountOf(platform, volumeId)).toEqual({
    type: 'SMB',
    host: 'nas.example.com',
    shareName: 'media',
    options: 'sec=ntlmssp,vers=3.1.1',
    credential: { username: 'svc_scan', domain: 'STUDIO', password: planted },
  })
  await ask('PUT', `${path}/${body.id}`, { ...signed, type: 'NFS', shareName: '/media' }).expect(204)
  expect(await mountOf(platform, volumeId)).toMatchObject({ type: 'NFS', options: 'vers=3.1.1', credential: null })
  expect((await ask('GET', path)).body.elements[0].networkVolumeCredential).toBeNull()
  await ask('POST', '/api/volumeSettings', { name: 'Disk', path: '/mnt/disk', storagePrice })
  const folder = { id: volumeId + 1, type: 'crawl.files', path: '/mnt/disk' }
  expect(await sourceOrderOf(platform, folder, { isDelta: false })).toEqual({ kind: 'fileStorage', path: '/mnt/disk' })
})
