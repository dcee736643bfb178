import type { IconikAnswer } from '#events/actions/iconik.ts'
import type { TransferAnswer } from '#events/actions/transfers.ts'
import type { ConfigurationName } from '#events/configurations.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { asUser } from '#server/testing.ts'

const entries: Partial<Record<ConfigurationName, string>> = {
  iconikAppId: 'app-1',
  'iconik.authtoken': 'token',
  sodaUrl: 'https://soda.example.com',
  sodaClientId: 'di',
  sodaClientSecret: 'secret',
}

/** Configures Iconik and the transfer service, which have nothing to list, and whose answers come from an agent. */
export async function configureSystems(
  { nats }: Pick<Platform, 'nats'>,
  admin: ReturnType<typeof asUser>,
): Promise<void> {
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
