import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { actionRoutes, storNextFolders, storNextPaths } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const storagePrice = await testPriceBook(db)
const app = createApp(platform, [...sourceRoutes(platform), ...actionRoutes(platform)])
const admin = await testSession(db, ['ROLE_ADMIN'])
const ask = asUser(app, admin)
const path = '/api/v1/storageManager/volumeMappings'
const share = { dataintellName: 'Media', type: 'SMB', host: 'nas', shareName: 'media', storagePrice }

beforeEach(async () => {
  await sql`TRUNCATE volumes, storage_manager_configs, events RESTART IDENTITY CASCADE`.execute(db)
  await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
  await ask('POST', '/api/v1/networkVolumes', share).expect(200)
  await ask('POST', '/api/v1/storageManager/configs', { name: 'Studio', host: 'mdc1' }).expect(200)
})

const films = {
  volumeId: 1,
  storageManagerConfigId: 1,
  dataintellPath: '/mnt/films',
  storageManagerPath: '/stornext/snfs1',
}
const media = String.raw`\\nas\media\raw`
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field}: ${message}`)
const list = async (query = '') => (await ask('GET', `${path}${query}`).expect(200)).body

test('mappings are added, listed, changed and deleted', async () => {
  const { id } = (await ask('POST', path, films).expect(200)).body
  const row = { ...films, id, volumeName: 'Films', storageManagerConfigName: 'Studio' }
  expect(await list()).toEqual({ elements: [row], page: 1, size: 200, total: 1, sort: 'id', direction: 'asc' })
  expect((await list('?page=1&sort=storageManagerConfigName&direction=desc&size=10')).elements).toEqual([row])
  await ask('PUT', `${path}/${id}`, { ...row, storageManagerPath: '/stornext/snfs2' }).expect(204)
  expect((await list()).elements).toMatchObject([{ storageManagerPath: '/stornext/snfs2' }])
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(404)
  await ask('PUT', `${path}/${id}`, films).expect(404)
  expect((await list()).total).toBe(0)
})

test('a storage has one mapping, which keeps its storage and disappears with it', async () => {
  const { id } = (await ask('POST', path, films)).body
  expect(wrongOf((await ask('POST', path, films).expect(400)).body)).toEqual([
    'volumeId: File Storage already has a path configuration',
  ])
  expect(wrongOf((await ask('PUT', `${path}/${id}`, { ...films, volumeId: 2 }).expect(400)).body)).toEqual([
    'volumeId: File Storage cannot be changed',
  ])
  await ask('DELETE', '/api/volumeSettings/1').expect(204)
  expect((await list()).total).toBe(0)
})

test('of two requests at once for one storage, one is refused', async () => {
  const statuses = await Promise.all([1, 2, 3].map(async () => (await ask('POST', path, films)).status))
  expect(statuses.sort()).toEqual([200, 400, 400])
})

test.each([
  [{ volumeId: 0 }, 'volumeId: File Storage must not be empty'],
  [{ volumeId: -1 }, 'volumeId: File Storage must not be empty'],
  [{ volumeId: 77 }, 'volumeId: File Storage must be one that exists'],
  [{ storageManagerConfigId: 0 }, 'storageManagerConfigId: Quantum StorNext Credentials must not be empty'],
  [{ storageManagerConfigId: 77 }, 'storageManagerConfigId: must be credentials that exist'],
  [{ dataintellPath: ' ' }, 'dataintellPath: DataIntell Path must not be empty'],
  [{ storageManagerPath: '' }, 'storageManagerPath: Quantum StorNext Path must not be empty'],
  [{ dataintellPath: '/mnt/films2' }, 'dataintellPath: DataIntell Path must be /mnt/films or below it'],
  [{ volumeId: 2 }, String.raw`dataintellPath: DataIntell Path must be \\nas\media or below it`],
])('%j is refused by name', async (wrong, message) => {
  expect(wrongOf((await ask('POST', path, { ...films, ...wrong }).expect(400)).body)).toEqual([message])
})

test('paths are mapped by the mapping of their storage, and not at all without one', async () => {
  await ask('POST', path, { ...films, dataintellPath: '/mnt/films/raw', storageManagerPath: '/snfs1/raw/' }).expect(200)
  const pathOf = await storNextPaths(db)
  expect(pathOf(1, '/mnt/films/raw/a.mov')).toEqual({ configId: 1, path: '/snfs1/raw/a.mov' })
  expect(pathOf(1, '/mnt/films/raw2/a.mov')).toBeUndefined()
  expect(pathOf(2, `${media}\\a.mov`)).toBeUndefined()
})

test('mapped folders are listed by their path within the storage', async () => {
  await ask('POST', path, { ...films, storageManagerPath: '/snfs1/' }).expect(200)
  await ask('POST', path, { ...films, volumeId: 2, dataintellPath: media, storageManagerPath: '/' }).expect(200)
  expect(await storNextFolders(db)).toEqual([
    { volumeId: 1, configId: 1, folder: '', dataintellPath: '/mnt/films', storageManagerPath: '/snfs1' },
    { volumeId: 2, configId: 1, folder: '/raw', dataintellPath: media, storageManagerPath: '' },
  ])
  await ask('PUT', '/api/volumeSettings/1', { name: 'Films', path: '/mnt/other', storagePrice }).expect(204)
  expect((await storNextFolders(db)).map(({ volumeId }) => volumeId)).toEqual([2])
})

test('users who may archive or restore can list mappings, and only administrators change them', async () => {
  for (const role of ['ROLE_STORAGE_MANAGER_ARCHIVE', 'ROLE_STORAGE_MANAGER_RESTORE'] as const) {
    const user = asUser(app, await testSession(db, [role]))
    await user('GET', path).expect(200)
    await user('POST', path, films).expect(403)
    await user('PUT', `${path}/1`, films).expect(403)
    await user('DELETE', `${path}/1`).expect(403)
  }
  await asUser(app, await testSession(db, ['ROLE_SODA_TRANSFER']))('GET', path).expect(403)
  const locked = { ...platform, config: { ...platform.config, bundles: [] } }
  const there = asUser(createApp(locked, actionRoutes(locked)), admin)
  for (const method of ['GET', 'POST'] as const) {
    const body = method === 'POST' ? films : undefined
    const message = 'Unlock Quantum StorNext Integration'
    expect((await there(method, path, body).expect(403)).body).toMatchObject({ code: 'bundle', message })
  }
})
