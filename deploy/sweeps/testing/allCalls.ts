import type { IconikAnswer } from '#events/actions/iconik.ts'
import type { TransferAnswer } from '#events/actions/transfers.ts'
import type { ConfigurationName } from '#events/configurations.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { confirmSession } from '#server/platform/callers/session.ts'
import type { Platform } from '#server/platform/platform.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession } from '#server/testing.ts'

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

const entries: Partial<Record<ConfigurationName, string>> = {
  iconikAppId: 'app-1',
  'iconik.authtoken': 'token',
  sodaUrl: 'https://soda.example.com',
  sodaClientId: 'di',
  sodaClientSecret: 'secret',
}

/** Configures Iconik and the transfer service, which have nothing to list, and whose answers come from an agent. */
async function configureSystems({ nats }: Pick<Platform, 'nats'>, admin: ReturnType<typeof asUser>): Promise<void> {
  const values = Object.entries(entries).map(([name, value]) => ({ name, value }))
  await admin('PUT', '/api/configurations', values).expect(200)
  const ofIconik: IconikAnswer = { failure: null, collections: [], storages: [] }
  const ofTransfers: TransferAnswer = { failure: null, storages: [], folders: [] }
  const answers = [
    [subjects.iconik(1), ofIconik],
    [subjects.transfers(1), ofTransfers],
  ] as const
  for (const [subject, answer] of answers)
    nats.connection.subscribe(subject, { callback: (_, message) => void message.respond(JSON.stringify(answer)) })
}
