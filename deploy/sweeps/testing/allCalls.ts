import type { Endpoint } from '#events/contract/endpoint.ts'
import { createApp } from '#server/app.ts'
import { confirmSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession } from '#server/testing.ts'
import { configureSystems } from './externalSystems.ts'

/** Opens the app with every call on one platform, for the tests that try all of them. */
export async function openAllCalls() {
  const platform = await testPlatform()
  // These tests make all downloads of a user at the same moment.
  await platform.db.insertInto('configurations').values({ name: 'exportsPerUser', value: '20' }).execute()
  const routes = routesOf(platform)
  const app = createApp(platform, routes)
  const calls = routes.map(({ endpoint }) => endpoint)
  const session = await testSession(platform.db, ['ROLE_ADMIN'])
  const admin = asUser(app, session)
  // These tests take longer than a confirmation lasts.
  const renewal = setInterval(() => void confirmSession(platform.db, session), 60_000)
  atEndOfFile(() => clearInterval(renewal))
  await configureSystems(platform, admin)
  return { platform, routes, calls, app, admin }
}
export type AllCalls = Awaited<ReturnType<typeof openAllCalls>>

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
/** Address of a call. The default id belongs to nothing. */
export const addressOf = ({ path }: Endpoint, id = '999999'): string => `/api${path.replace(/:\w+/g, id)}`
export const bodyOf = ({ body }: Endpoint): object | undefined => (body ? {} : undefined)
/** Rows for `test.each`. */
export const named = (calls: readonly Endpoint[]) => calls.map((call) => [nameOf(call), call] as const)
