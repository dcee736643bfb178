import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openLog } from '#server/platform/logger.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { networkShareRoutes } from '../index.ts'
import { mountOf } from './mountOf.ts'

const logs = testFolder('logs')
const platform = { ...(await testPlatform()), log: openLog(logs) }
const { db } = platform
const ask = asUser(createApp(platform, networkShareRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/networkVolumes/credentials'
const planted = 'planted-PASSWORD-5521'
const storagePrice = await testPriceBook(platform.db)
const draft = { name: 'Studio', username: 'svc_scan', password: planted, domain: 'STUDIO', options: '' }

beforeEach(async () => {
  await sql`TRUNCATE volumes, network_credentials, events RESTART IDENTITY CASCADE`.execute(db)
})

const share = (dataintellName: string, id: number) => ({
  dataintellName,
  type: 'SMB',
  host: 'nas',
  shareName: 'media',
  networkVolumeCredential: { id },
  storagePrice,
})
const passwordOf = async (volume: number) => (await mountOf(platform, volume))?.credential?.password

test('credentials are added, listed, changed and deleted', async () => {
  const { body } = await ask('POST', path, draft).expect(200)
  const { password: _, ...told } = draft
  const listed = await ask('GET', path).expect(200)
  expect(listed.body).toMatchObject({ total: 1, sort: 'name', direction: 'asc' })
  expect(listed.body.elements).toEqual([{ ...told, id: body.id, isPasswordLost: false }])
  await ask('PUT', `${path}/${body.id}`, { ...draft, username: 'other', domain: '' }).expect(204)
  expect((await ask('GET', path)).body.elements).toMatchObject([{ username: 'other', domain: '' }])
  await ask('DELETE', `${path}/${body.id}`).expect(204)
  await ask('DELETE', `${path}/${body.id}`).expect(404)
  await ask('PUT', `${path}/${body.id}`, draft).expect(404)
})

test('a change without a password keeps it, and one with a password replaces it', async () => {
  const { id } = (await ask('POST', path, draft)).body
  await ask('POST', '/api/v1/networkVolumes', share('Media', id)).expect(200)
  await ask('PUT', `${path}/${id}`, { ...draft, password: null, name: 'Renamed' }).expect(204)
  expect(await passwordOf(1)).toBe(planted)
  await ask('PUT', `${path}/${id}`, { ...draft, password: 'another one' }).expect(204)
  expect(await passwordOf(1)).toBe('another one')
})

test.each([
  [{ name: '' }, 'name must be between 1 and 255 characters'],
  [{ username: 'x'.repeat(256) }, 'username must be between 1 and 255 characters'],
  [{ password: '' }, 'password must be between 1 and 255 characters'],
  [{ password: null }, 'password is required'],
  [{ password: 'two\nlines' }, 'password must not contain control characters'],
  [{ username: 'ana\r' }, 'username must not contain control characters'],
  [{ domain: 'x'.repeat(256) }, 'domain must be between 0 and 255 characters'],
  [{ domain: 'A\u0000' }, 'domain must not contain control characters'],
  [{ options: 'password=x' }, 'options must not contain password: the sign-in is that of the credentials'],
])('%j is refused by name', async (wrong, message) => {
  const { body } = await ask('POST', path, { ...draft, ...wrong }).expect(400)
  expect(body.subErrors.map((one: { field: string; message: string }) => `${one.field} ${one.message}`)).toEqual([
    message,
  ])
})

test('names are unique in any case', async () => {
  const { id } = (await ask('POST', path, draft)).body
  const other = (await ask('POST', path, { ...draft, name: 'Other' }).expect(200)).body.id
  const unique = [{ field: 'name', message: 'must be unique' }]
  expect((await ask('POST', path, { ...draft, name: 'STUDIO' }).expect(400)).body.subErrors).toEqual(unique)
  expect((await ask('PUT', `${path}/${other}`, { ...draft, name: 'studio' }).expect(400)).body.subErrors).toEqual(
    unique,
  )
  await ask('PUT', `${path}/${id}`, { ...draft, name: 'studio' }).expect(204)
})

test('those that storages use cannot be deleted until the storages are', async () => {
  const { id } = (await ask('POST', path, draft)).body
  await ask('POST', '/api/v1/networkVolumes', share('Media', id)).expect(200)
  const other = await ask('POST', '/api/v1/networkVolumes', share('Archive', id)).expect(200)
  const used = await ask('DELETE', `${path}/${id}`).expect(409)
  expect(used.body.message).toBe(
    'Credentials Studio are used by Archive and Media. Assign other credentials to each first.',
  )
  await ask('DELETE', `/api/v1/networkVolumes/${other.body.id}`).expect(204)
  await ask('DELETE', '/api/v1/networkVolumes/1').expect(204)
  await ask('DELETE', `${path}/${id}`).expect(204)
})

test('after the key has changed, the list shows lost passwords, and their users see what to do', async () => {
  const kept = (await ask('POST', path, draft).expect(200)).body.id
  await ask('POST', '/api/v1/networkVolumes', share('Media', kept)).expect(200)
  const elsewhere = { ...platform, config: { ...platform.config, secretKey: 'another key that has 32 characters' } }
  const there = asUser(createApp(elsewhere, networkShareRoutes(elsewhere)), await testSession(db, ['ROLE_ADMIN']))
  await there('POST', path, { ...draft, name: 'New' }).expect(200)
  const lost = async () =>
    (await there('GET', path).expect(200)).body.elements.map((one: Record<string, unknown>) => [
      one['name'],
      one['isPasswordLost'],
    ])
  expect(await lost()).toEqual([
    ['New', false],
    ['Studio', true],
  ])
  await expect(mountOf(elsewhere, 1)).rejects.toThrow(
    /^The password of the credentials Studio cannot be opened: it was stored with the key .* Enter it again/,
  )
  await there('PUT', `${path}/${kept}`, draft).expect(204)
  expect(await lost()).toEqual([
    ['New', false],
    ['Studio', false],
  ])
  expect((await mountOf(elsewhere, 1))?.credential?.password).toBe(planted)
})

test('a password is stored and never returned: in no answer, row, event or line of the log', async () => {
  const { body } = await ask('POST', path, draft).expect(200)
  const stored = await db.selectFrom('networkCredentials').selectAll().execute()
  const answers = [
    await ask('POST', path, draft).expect(400),
    await ask('PUT', `${path}/${body.id}`, { ...draft, password: `${planted}-2`, name: 'New' }).expect(204),
    await ask('PUT', `${path}/${body.id}`, { ...draft, password: `${planted}\u0000` }).expect(400),
    await ask('GET', path).expect(200),
    await ask('DELETE', `${path}/${body.id}`).expect(204),
  ]
  const events = await db.selectFrom('events').selectAll().orderBy('position').execute()
  expect(events.map(({ type }) => type)).toEqual(['Created', 'Changed', 'Removed'])
  expect(events[1]!.data).toMatchObject({
    before: { name: 'Studio', password: '(set)' },
    after: { name: 'New', password: '(changed)' },
  })
  const written = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8'))
  expect(JSON.stringify([answers.map(({ body }) => body), stored, events, written])).not.toContain(planted)
})
