import { setTimeout as pause } from 'node:timers/promises'
import { connect, nkeyAuthenticator } from 'nats'
import { z } from 'zod'

/** Status of a nats-server. `store` is the folder of its streams, undefined while JetStream is not enabled. */
export type NatsStatus = { name: string; store: string | undefined; configurationLoadedAt: string }

/** A connection as the user of the system account, which requests the server's status. */
export type NatsMonitor = { status(): Promise<NatsStatus>; close(): Promise<void> }

/** Milliseconds for a nats-server to accept a connection, or to respond. */
const timeoutMs = 2_000

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

/**
 * Signs in with the seed of the system user. Tries more than once, because a connection that is opened while nats-server
 * reloads is never answered. Throws if the server doesn't accept a connection within `withinMs`.
 */
export async function openMonitor(url: string, seed: string, withinMs: number): Promise<NatsMonitor> {
  for (const end = performance.now() + withinMs; ; await pause(50)) {
    try {
      return await connectTo(url, seed)
    } catch (error) {
      if (performance.now() > end) doesNotRespond(error)
    }
  }
}

/** Returns the status; undefined if no one responds, 'refused' if the server doesn't know the key. */
export async function requestStatus(url: string, seed: string): Promise<NatsStatus | 'refused' | undefined> {
  try {
    const monitor = await connectTo(url, seed)
    return await monitor.status().finally(monitor.close)
  } catch (error) {
    return (error as { code?: string }).code === 'AUTHORIZATION_VIOLATION' ? 'refused' : undefined
  }
}

/** Milliseconds for JetStream to answer, on a busy disk. */
const streamsTimeoutMs = 10_000

/**
 * True if JetStream answers the server, be it with an error. Its locks can hang forever after a write to a full disk
 * failed (seen in 2.9.10), while nats-server accepts connections and reports its status as before.
 */
export async function answersStreams(url: string, seed: string): Promise<boolean> {
  const connection = await open(url, seed)
  try {
    await connection.request('$JS.API.INFO', '', { timeout: streamsTimeoutMs })
    return true
  } catch (error) {
    return (error as { code?: string }).code === noResponders
  } finally {
    await connection.close()
  }
}
/** JetStream is disabled, which `isReady` and health report. */
const noResponders = '503'

const open = (servers: string, seed: string) =>
  connect({
    servers,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    timeout: timeoutMs,
    reconnect: false,
    name: 'monitor',
  })

async function connectTo(url: string, seed: string): Promise<NatsMonitor> {
  const connection = await open(url, seed)
  const subject = `$SYS.REQ.SERVER.${connection.info?.server_id}.VARZ`
  return {
    status: async () =>
      Varz.parse((await connection.request(subject, '', { timeout: timeoutMs }).catch(doesNotRespond)).json()),
    close: () => connection.close(),
  }
}

function doesNotRespond(cause: unknown): never {
  throw new Error('nats-server does not respond', { cause })
}
