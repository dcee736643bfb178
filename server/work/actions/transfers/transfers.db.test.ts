import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { actionRoutes, readSodaConfig, sodaPaths } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const storagePrice = await testPriceBook(db)
const routesOf = (of: typeof platform) => [...sourceRoutes(of), ...actionRoutes(of), ...configurationRoutes(of)]
const admin = await testSession(db, ['ROLE_ADMIN'])
const app = createApp(platform, routesOf(platform))
const ask = asUser(app, admin)
const path = '/api/v1/soda/volumeMappings'

beforeEach(async () => {
  await sql`TRUNCATE volumes, soda_mappings, configurations, events RESTART IDENTITY CASCADE`.execute(db)
  await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
})

const films = { volumeId: 1, dataintellPath: '/mnt/films', sodaStorageId: 'st-1', sodaPath: '/' }
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field}: ${message}`)

test('mappings are added, listed, changed and deleted', async () => {
  const { id } = (await ask('POST', path, films).expect(200)).body
  const row = { ...films, id, volumeName: 'Films' }
  const page = { page: 1, size: 200, total: 1, sort: 'id', direction: 'asc' }
  expect((await ask('GET', path).expect(200)).body).toEqual({ elements: [row], ...page })
  await ask('PUT', `${path}/${id}`, { ...row, sodaPath: '/in' }).expect(204)
  expect((await sodaPaths(db))(1, '/mnt/films/a.mov')).toEqual({ storageId: 'st-1', path: '/in/a.mov' })
  expect((await sodaPaths(db))(2, '/mnt/films/a.mov')).toBeUndefined()
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(404)
})

test.each([
  [{ volumeId: 0 }, 'volumeId: Storage must not be empty'],
  [{ volumeId: 77 }, 'volumeId: Storage must be one that exists'],
  [{ dataintellPath: '' }, 'dataintellPath: DataIntell Path must not be empty'],
  [{ dataintellPath: '/mnt' }, 'dataintellPath: DataIntell Path must be /mnt/films or below it'],
  [{ sodaStorageId: ' ' }, 'sodaStorageId: SODA Storage ID must not be empty'],
  [{ sodaPath: '' }, 'sodaPath: SODA Path must not be empty'],
])('%j is refused by name', async (wrong, message) => {
  expect(wrongOf((await ask('POST', path, { ...films, ...wrong }).expect(400)).body)).toEqual([message])
})

test('users who may start transfers can list mappings, without the bundle no one', async () => {
  const user = asUser(app, await testSession(db, ['ROLE_SODA_TRANSFER']))
  await user('GET', path).expect(200)
  await user('POST', path, films).expect(403)
  const locked = { ...platform, config: { ...platform.config, bundles: [] } }
  const there = asUser(createApp(locked, routesOf(locked)), admin)
  expect((await there('GET', path).expect(403)).body.message).toBe('Unlock SODA Integration')
  const url = [{ name: 'sodaUrl', value: 'https://soda.example.com' }]
  expect((await there('PUT', '/api/configurations', url).expect(403)).body).toMatchObject({
    code: 'bundle',
    message: 'Unlock SODA Integration',
  })
})

const put = (values: Record<string, string>, by = ask) =>
  by(
    'PUT',
    '/api/configurations',
    Object.entries(values).map(([name, value]) => ({ name, value })),
  )

test('the service is configured once its address, client and secret are set', async () => {
  await put({ sodaUrl: 'https://soda.example.com/', sodaClientId: 'di' }).expect(200)
  expect(await readSodaConfig(platform)).toBeUndefined()
  await put({ sodaClientSecret: 'hush' }).expect(200)
  expect(await readSodaConfig(platform)).toEqual({
    url: 'https://soda.example.com',
    clientId: 'di',
    clientSecret: 'hush',
  })
})

test('empty entries have the values of the environment', async () => {
  const given = { sodaUrl: 'https://env.example.com', sodaClientId: 'env', sodaClientSecret: 'of-the-ENVIRONMENT' }
  const there = { ...platform, config: { ...platform.config, ...given } }
  const asked = asUser(createApp(there, routesOf(there)), admin)
  const entries = async () => {
    const { body, text } = await asked('GET', '/api/configurations').expect(200)
    expect(text).not.toContain('ENVIRONMENT')
    return (body as { name: string; value: string | null; isSet: boolean }[])
      .filter(({ name }) => ['sodaUrl', 'sodaClientId', 'sodaClientSecret'].includes(name))
      .map(({ name, value, isSet }) => [name, value, isSet])
  }
  const ofEnvironment = { url: given.sodaUrl, clientId: 'env', clientSecret: given.sodaClientSecret }
  expect(await readSodaConfig(there)).toEqual(ofEnvironment)
  const usual = [
    ['sodaUrl', given.sodaUrl, false],
    ['sodaClientId', 'env', false],
    ['sodaClientSecret', null, true],
  ]
  expect(await entries()).toEqual(usual)
  expect((await put({ sodaUrl: given.sodaUrl, sodaClientId: 'env' }, asked).expect(200)).body).toEqual([])
  await put({ sodaUrl: 'https://own.example.com', sodaClientSecret: 'own' }, asked).expect(200)
  expect(await readSodaConfig(there)).toEqual({ url: 'https://own.example.com', clientId: 'env', clientSecret: 'own' })
  await put({ sodaUrl: '', sodaClientSecret: '' }, asked).expect(200)
  expect([await readSodaConfig(there), await entries()]).toEqual([ofEnvironment, usual])
})

test.each([
  [{ sodaUrl: 'http://soda.example.com' }, 'sodaUrl: URL must begin with https://'],
  [{ sodaUrl: 'soda' }, 'sodaUrl: URL must begin with https://'],
  [{ sodaClientId: 'x'.repeat(256) }, 'sodaClientId: Client ID must have at most 255 characters'],
  [{ sodaClientSecret: 'x'.repeat(1_001) }, 'sodaClientSecret: Client secret must have at most 1000 characters'],
])('%j is refused', async (values, message) => {
  expect(wrongOf((await put(values).expect(400)).body)).toEqual([message])
})
