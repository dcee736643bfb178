import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type AdmittedAgent, natsAccounts, serverAccount } from '#server/platform/nats/agentDoor.ts'
import { CannotStart } from '#server/platform/config.ts'

/** Account of the user that requests the status of nats-server. */
const systemAccount = 'SYSTEM'

/** Identity of our nats-server: `name` is unique to the data folder, `server` and `system` are public keys of its users. */
export type NatsIdentity = { name: string; folder: string; server: string; system: string }

/**
 * Returns the configuration of our nats-server, as JSON, which nats-server also reads. The user `server` may do everything
 * with streams and messages. Throws for a folder that nats-server's configuration can't express.
 */
export function natsConfiguration(identity: NatsIdentity, port: number, agents: AdmittedAgent[]): string {
  const { name, folder, server, system } = identity
  if (/\p{Cc}/u.test(folder))
    throw new CannotStart(
      `The path of the data folder contains a control character: ${JSON.stringify(folder)}. Rename it.`,
    )
  const { [serverAccount]: ofServer, ...ofAgents } = natsAccounts(agents)
  const configuration = {
    host: '127.0.0.1',
    port,
    server_name: name,
    max_payload: 1024 ** 2,
    logtime: true,
    jetstream: {
      store_dir: join(folder, 'jetstream'),
      max_file_store: 8 * 1024 ** 3,
      max_memory_store: 64 * 1024 ** 2,
    },
    // Agents of far machines take a while to agree on TLS; the default two seconds start before that.
    authorization: { timeout: 10 },
    system_account: systemAccount,
    accounts: {
      [systemAccount]: { users: [{ nkey: system }] },
      [serverAccount]: { ...ofServer, users: [{ nkey: server }] },
      ...ofAgents,
    },
  }
  return JSON.stringify(configuration, undefined, 2)
}

/** Returns the folder of the streams as nats-server reports it. */
export const streamFolder = ({ folder }: NatsIdentity): string => join(folder, 'jetstream/jetstream')

/** Returns the port of an earlier configuration; undefined if it is missing or damaged. */
export function portOf(configuration: string): number | undefined {
  try {
    return z.object({ port: z.int() }).safeParse(JSON.parse(readFileSync(configuration, 'utf8'))).data?.port
  } catch {
    return undefined
  }
}
