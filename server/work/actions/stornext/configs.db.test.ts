import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { actionRoutes, readStorNextConfig } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [...sourceRoutes(platform), ...actionRoutes(platform)])
const admin = await testSession(db, ['ROLE_ADMIN'])
const ask = asUser(app, admin)
const path = '/api/v1/storageManager/configs'
const password = 'planted-PASSWORD-4471'
const mdc = { name: 'Studio', host: 'mdc1.example.com', username: 'ws', password }

beforeEach(async () => {
  await sql`TRUNCATE volumes, storage_manager_configs, events RESTART IDENTITY CASCADE`.execute(db)
})

const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field}: ${message}`)
const list = async (query = '') => (await ask('GET', `${path}${query}`).expect(200)).body

test('credentials are added, listed by page, changed and deleted', async () => {
  const { id } = (await ask('POST', path, mdc).expect(200)).body
  await ask('POST', path, { name: 'Archive', host: 'https://[::1]:443/sws/v2/' }).expect(200)
  expect(await list('?page=1&size=1&sort=id&direction=desc')).toEqual({
    elements: [
      {
        id: 2,
        name: 'Archive',
        host: 'https://[::1]:443/sws/v2/',
        username: null,
        certificateFingerprint: '',
        isPasswordLost: false,
      },
    ],
    page: 1,
    size: 1,
    total: 2,
    sort: 'id',
    direction: 'desc',
  })
  const [first] = (await list('?sort=id')).elements
  await ask('PUT', `${path}/${id}`, { ...first, host: 'mdc2', password }).expect(204)
  expect((await list()).elements).toContainEqual({ ...first, host: 'mdc2' })
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(404)
  expect((await list()).total).toBe(1)
})

test('an update without a password keeps it, and an update without a user removes it', async () => {
  const { id } = (await ask('POST', path, mdc).expect(200)).body
  const { name, host, username } = mdc
  expect(await readStorNextConfig(platform, id)).toEqual({ host, username, password })
  for (const kept of [null, '', undefined]) {
    await ask('PUT', `${path}/${id}`, { name, host, username, ...(kept !== undefined && { password: kept }) }).expect(
      204,
    )
    expect(await readStorNextConfig(platform, id)).toEqual({ host, username, password })
  }
  await ask('PUT', `${path}/${id}`, { ...mdc, password: 'another' }).expect(204)
  expect(await readStorNextConfig(platform, id)).toMatchObject({ password: 'another' })
  await ask('PUT', `${path}/${id}`, { name, host, username: null, password: null }).expect(204)
  expect(await readStorNextConfig(platform, id)).toEqual({ host })
  const { password: stored } = await db.selectFrom('storageManagerConfigs').selectAll().executeTakeFirstOrThrow()
  expect(stored).toBe('')
})

test('a certificate is stored with its fingerprint in one form', async () => {
  const { id } = (await ask('POST', path, { ...mdc, certificateFingerprint: 'ab'.repeat(32) }).expect(200)).body
  expect(await readStorNextConfig(platform, id)).toMatchObject({ fingerprint: Array(32).fill('AB').join(':') })
})

test('a password is in no answer, event or row', async () => {
  const answers = [
    await ask('POST', path, mdc).expect(200),
    await ask('PUT', `${path}/1`, { ...mdc, password: `${password}-2` }).expect(204),
    await ask('GET', path).expect(200),
    await ask('DELETE', `${path}/1`).expect(204),
  ]
  const everywhere = [
    answers.map(({ text }) => text),
    await db.selectFrom('events').selectAll().execute(),
    await db.selectFrom('storageManagerConfigs').selectAll().execute(),
  ]
  expect(JSON.stringify(everywhere)).not.toContain('planted-PASSWORD')
})

const long = 'x'.repeat(256)
test.each([
  [{ name: '' }, 'name: must be between 1 and 255 characters'],
  [{ name: long }, 'name: must be between 1 and 255 characters'],
  [{ host: '' }, 'host: must be between 1 and 255 characters'],
  [{ host: long }, 'host: must be between 1 and 255 characters'],
  [{ username: long }, 'username: must be between 0 and 255 characters'],
  [{ password: long }, 'password: must be between 0 and 255 characters'],
  [{ host: 'a b' }, 'host: must be a name or an address, or a URL that begins with https:// or http://'],
  [{ host: 'ftp://mdc' }, 'host: must be a name or an address, or a URL that begins with https:// or http://'],
  [{ host: 'ws:secret@mdc' }, 'host: must be a name or an address, or a URL that begins with https:// or http://'],
  [{ host: 'https://ws:secret@mdc' }, 'host: must not contain a user or a password'],
  [{ username: 'two\nlines' }, 'username: must not contain control characters'],
  [{ username: null }, 'username: must not be empty if there is a password'],
  [{ certificateFingerprint: 'AB' }, 'certificateFingerprint: must be 64 hexadecimal digits, with or without colons'],
])('%j is refused by name', async (wrong, message) => {
  expect(wrongOf((await ask('POST', path, { ...mdc, ...wrong }).expect(400)).body)).toContain(message)
})

test('255 characters are accepted', async () => {
  const text = 'x'.repeat(255)
  await ask('POST', path, { name: text, host: text, username: text, password: text }).expect(200)
  expect(await readStorNextConfig(platform, 1)).toEqual({ host: text, username: text, password: text })
})

test('a name is used once', async () => {
  await ask('POST', path, mdc).expect(200)
  expect(wrongOf((await ask('POST', path, { ...mdc, name: 'STUDIO' }).expect(400)).body)).toEqual([
    'name: must be unique',
  ])
})

test('credentials of a mapped storage stay until the storage is mapped with others', async () => {
  const storagePrice = await testPriceBook(db)
  await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
  await ask('POST', path, mdc).expect(200)
  const mapping = { volumeId: 1, storageManagerConfigId: 1, dataintellPath: '/mnt/films', storageManagerPath: '/snfs1' }
  await ask('POST', '/api/v1/storageManager/volumeMappings', mapping).expect(200)
  const { body } = await ask('DELETE', `${path}/1`).expect(409)
  expect(body.message).toBe('Credentials Studio are used by Films. Assign other credentials to each first.')
  await ask('DELETE', '/api/volumeSettings/1').expect(204)
  await ask('DELETE', `${path}/1`).expect(204)
})

test('without the bundle, and for others than administrators, all calls are refused', async () => {
  const locked = { ...platform, config: { ...platform.config, bundles: ['iconik' as const] } }
  const there = asUser(createApp(locked, actionRoutes(locked)), admin)
  const archivist = asUser(app, await testSession(db, ['ROLE_STORAGE_MANAGER_ARCHIVE']))
  for (const [method, address, body] of [
    ['GET', path, undefined],
    ['POST', path, mdc],
    ['PUT', `${path}/1`, mdc],
    ['DELETE', `${path}/1`, undefined],
  ] as const) {
    expect((await there(method, address, body).expect(403)).body).toMatchObject({
      code: 'bundle',
      message: 'Unlock Quantum StorNext Integration',
    })
    await archivist(method, address, body).expect(403)
  }
})
