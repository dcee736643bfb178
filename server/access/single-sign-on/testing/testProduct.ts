import { afterAll } from 'vitest'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { listen } from '#server/messages/live/testing.ts'
import type { Platform } from '#server/platform/platform.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { startProvider } from './startProvider.ts'

type Routes = Parameters<typeof createApp>[1]

/** A product on a port of its own whose users sign in at a provider. `isScreen` matches the addresses of its pages. */
export async function testProduct(roles: string, routesOf: (platform: Platform) => Routes) {
  const platform = await testPlatform()
  const place = await listen()
  afterAll(place.close)
  const address = `http://${place.host}`
  const provider = await startProvider(address)
  const variables = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'dataintell',
    OIDC_CLIENT_SECRET: 'a secret of the tests',
    OIDC_ROLES: roles,
  }
  const { singleSignOn } = readConfig(variables)
  if (!singleSignOn) throw new Error('There is a provider')
  const withProvider = { ...platform, config: { ...platform.config, singleSignOn } }
  const app = createApp(withProvider, routesOf(withProvider))
  place.http.on('request', app)
  const isScreen = (url: string) => url.startsWith(address) && !url.startsWith(`${address}/api/`)
  return { platform, db: platform.db, place, address, provider, variables, singleSignOn, withProvider, app, isScreen }
}
