import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { readIconikConfig } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const admin = await testSession(db, ['ROLE_ADMIN'])
const ask = asUser(createApp(platform, configurationRoutes(platform)), admin)
const path = '/api/configurations'
const token = 'planted-TOKEN-9920'
const appId = { name: 'iconikAppId', value: 'app-1', description: 'Iconik Application ID' }
const authToken = { name: 'iconik.authtoken', value: token, description: 'Iconik Auth-Token' }

test('the application and its token are two entries, and the token is never answered', async () => {
  expect(await readIconikConfig(platform)).toBeUndefined()
  await ask('PUT', path, [appId]).expect(200)
  expect(await readIconikConfig(platform)).toBeUndefined()
  const saved = await ask('PUT', path, [authToken]).expect(200)
  expect(await readIconikConfig(platform)).toEqual({ url: 'https://app.iconik.io', appId: 'app-1', token })
  const listed = await ask('GET', path).expect(200)
  expect(listed.body).toContainEqual({ ...appId, isHashed: false, isSet: true, isLost: false })
  expect(listed.body).toContainEqual({ ...authToken, value: null, isHashed: true, isSet: true, isLost: false })
  const events = await db.selectFrom('events').selectAll().execute()
  const stored = await db.selectFrom('configurations').selectAll().execute()
  expect(saved.text + listed.text + JSON.stringify([events, stored])).not.toContain('planted-TOKEN')
  await ask('PUT', path, [{ ...authToken, value: '' }]).expect(200)
  expect(await readIconikConfig(platform)).toBeUndefined()
})

test('the address belongs to the region, by default it is the one of the environment', async () => {
  const iconikUrl = { name: 'iconikUrl', value: 'https://eu.iconik.io/' }
  await ask('PUT', path, [appId, authToken, iconikUrl]).expect(200)
  expect(await readIconikConfig(platform)).toEqual({ url: 'https://eu.iconik.io', appId: 'app-1', token })
  await ask('PUT', path, [authToken, { ...iconikUrl, value: '' }]).expect(200)
  const elsewhere = { ...platform, config: { ...platform.config, iconikUrl: 'https://us.iconik.io/' } }
  expect(await readIconikConfig(elsewhere)).toMatchObject({ url: 'https://us.iconik.io' })
  const listed = await ask('GET', path).expect(200)
  expect(listed.body).toContainEqual(
    expect.objectContaining({ name: 'iconikUrl', value: 'https://app.iconik.io', isSet: false }),
  )
})

test('a token of another server key is reported by its name', async () => {
  await ask('PUT', path, [appId, authToken]).expect(200)
  const elsewhere = { ...platform, config: { ...platform.config, secretKey: 'another key that has 32 characters' } }
  await expect(readIconikConfig(elsewhere)).rejects.toThrow(/^The Iconik Auth-Token cannot be opened/)
})

test.each([
  [appId, 'x'.repeat(256), 'Application ID must have at most 255 characters'],
  [{ name: 'iconikUrl' }, 'http://eu.iconik.io', 'URL must begin with https://'],
  [authToken, 'x'.repeat(4_001), 'Application Token must have at most 4000 characters'],
  [authToken, 'two\nlines', 'Value must not contain control characters'],
])('%j refuses wrong values', async (entry, value, message) => {
  const { body } = await ask('PUT', path, [{ ...entry, value }]).expect(400)
  expect(body.subErrors).toEqual([{ field: entry.name, message }])
})

test('without the bundle both entries keep their values', async () => {
  const locked = { ...platform, config: { ...platform.config, bundles: ['soda' as const] } }
  const there = asUser(createApp(locked, configurationRoutes(locked)), admin)
  for (const entry of [appId, authToken]) {
    const change = [{ ...entry, value: 'another' }]
    expect((await there('PUT', path, change).expect(403)).body).toMatchObject({
      code: 'bundle',
      message: 'Unlock Iconik Integration',
    })
  }
  expect(await readIconikConfig(platform)).toMatchObject({ appId: 'app-1', token })
})
