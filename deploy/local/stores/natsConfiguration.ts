import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type AdmittedAgent, natsAccounts, serverAccount } from '#server/platform/nats/agentDoor.ts'

/**
 * The configuration of our nats-server, as JSON, which it reads as it reads its own form. `server` is the public key of the
 * one who may do everything.
 */
export function natsConfiguration(folder: string, port: number, server: string, agents: AdmittedAgent[]): string {
  const { [serverAccount]: ofServer, ...ofAgents } = natsAccounts(agents)
  const configuration = {
    host: '127.0.0.1',
    port,
    server_name: 'dataintell',
    max_payload: 1024 ** 2,
    logtime: true,
    jetstream: {
      store_dir: join(folder, 'jetstream'),
      max_file_store: 8 * 1024 ** 3,
      max_memory_store: 64 * 1024 ** 2,
    },
    // Agents of far machines take a while to agree on TLS; the usual two seconds count from before that.
    authorization: { timeout: 10 },
    accounts: { [serverAccount]: { ...ofServer, users: [{ nkey: server }] }, ...ofAgents },
  }
  return JSON.stringify(configuration, undefined, 2)
}

/** The port of a configuration that was written before, if there is one. */
export const portOf = (configuration: string): number | undefined =>
  existsSync(configuration)
    ? z.object({ port: z.int() }).safeParse(JSON.parse(readFileSync(configuration, 'utf8'))).data?.port
    : undefined

/** Whether a configuration that was written before has accounts. */
export const hasAccounts = (configuration: string): boolean =>
  existsSync(configuration) && 'accounts' in (JSON.parse(readFileSync(configuration, 'utf8')) as object)
