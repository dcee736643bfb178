import { createApp } from '#server/app.ts'
import type { Platform } from '#server/platform/platform.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'

/** Calls of a search as a user without roles; `get` and `post` return the bodies of answers with the status 200. */
export async function testSearch(platform: Platform) {
  const ask = asUser(createApp(platform, searchRoutes(platform)), await testSession(platform.db, []))
  return {
    ask,
    get: async (address: string) => (await ask('GET', `/api${address}`).expect(200)).body,
    post: async (address: string, criteria: unknown) =>
      (await ask('POST', `/api${address}`, criteria as object).expect(200)).body,
  }
}
