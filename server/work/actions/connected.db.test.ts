import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes } from './index.ts'

const platform = await testPlatform()
const app = createApp(platform, [...actionRoutes(platform), ...configurationRoutes(platform)])
const admin = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))
const uploader = asUser(app, await testSession(platform.db, ['ROLE_ICONIK_UPLOAD']))
const connected = async () => (await uploader('GET', '/api/v1/actions/systems').expect(200)).body

test('a system is connected once its settings are complete, for users who may not see them', async () => {
  expect(await connected()).toEqual([])
  await admin('PUT', '/api/configurations', [{ name: 'iconikAppId', value: 'app-1' }]).expect(200)
  expect(await connected()).toEqual([])
  await admin('PUT', '/api/configurations', [{ name: 'iconik.authtoken', value: 'a token' }]).expect(200)
  expect(await connected()).toEqual(['iconik'])
})

test('the system of a licence that was given up is not connected', async () => {
  const without = { ...platform, config: { ...platform.config, bundles: [] } }
  const ask = asUser(createApp(without, actionRoutes(without)), await testSession(platform.db, ['ROLE_ADMIN']))
  expect((await ask('GET', '/api/v1/actions/systems').expect(200)).body).toEqual([])
})
