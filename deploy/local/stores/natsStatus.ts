import { connect, nkeyAuthenticator } from 'nats'
import { z } from 'zod'

/** Status of a nats-server. `store` is the folder of its streams, undefined while JetStream is not enabled. */
export type NatsStatus = { name: string; store: string | undefined; configurationLoadedAt: string }

/** A connection as the user of the system account, which requests the server's status. */
export type NatsMonitor = { status(): Promise<NatsStatus>; close(): Promise<void> }

/** Milliseconds for a nats-server to accept a connection, or to respond. */
const timeout = 1_000

const Varz = z
  .object({
    data: z.object({
      server_name: z.string(),
      config_load_time: z.string(),
      jetstream: z.object({ config: z.object({ store_dir: z.string() }).optional() }).optional(),
    }),
  })
  .transform(({ data }) => ({
    name: data.server_name,
    store: data.jetstream?.config?.store_dir,
    configurationLoadedAt: data.config_load_time,
  }))

/** Signs in with the seed of the system user. Throws if no one listens or responds, or if the server refuses the key. */
export async function openMonitor(url: string, seed: string): Promise<NatsMonitor> {
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
  const connection = await connect({ servers: url, authenticator, timeout, reconnect: false, name: 'monitor' })
  const subject = `$SYS.REQ.SERVER.${connection.info?.server_id}.VARZ`
  return {
    status: async () => Varz.parse((await connection.request(subject, '', { timeout })).json()),
    close: () => connection.close(),
  }
}

/** Returns whether a server refuses the key: it is another one, or of an earlier configuration. */
export const isRefused = (error: unknown): boolean => (error as { code?: string }).code === 'AUTHORIZATION_VIOLATION'
