import {
  type Authenticator,
  connect,
  type JetStreamClient,
  type NatsConnection,
  nkeyAuthenticator,
  type TlsOptions,
  tokenAuthenticator,
} from 'nats'
import type { Logger } from 'pino'
import type { AgentMachine } from '#events/agents.ts'
import type { Config } from './config.ts'

/** Identity of an agent process. `run` is unique for each start of the agent. */
type Self = { run: string; machine: AgentMachine }

export type Connection = Self & { agentId: number; nats: NatsConnection; js: JetStreamClient; log: Logger }

/**
 * Connects, waiting as long as necessary, and reconnects after each disconnect. An agent receives only messages to its
 * inbox.
 */
export async function openConnection(
  { natsUrl, tls, agentId, seed, token }: Config,
  self: Self,
  log: Logger,
): Promise<Connection> {
  const nats = await connect({
    servers: natsUrl,
    // Refuses a server without TLS.
    ...(tls && { tls: tls as TlsOptions }),
    name: `agent-${agentId}`,
    inboxPrefix: `_INBOX_agent-${agentId}`,
    authenticator: authenticators(seed, token),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    // A connection opened while nats-server reloads its configuration is never answered.
    timeout: 3_000,
    // A server that doesn't know the agent's key yet may know it a moment later.
    ignoreAuthErrorAbort: true,
  })
  void logStatus(nats, log)
  return { ...self, agentId, nats, js: nats.jetstream(), log }
}

const authenticators = (seed: string | undefined, token: string | undefined): Authenticator[] => [
  ...(seed ? [nkeyAuthenticator(new TextEncoder().encode(seed))] : []),
  ...(token ? [tokenAuthenticator(token)] : []),
]

async function logStatus(nats: NatsConnection, log: Logger): Promise<void> {
  for await (const { type, data } of nats.status())
    if (type === 'disconnect' || type === 'reconnect' || type === 'error') log.warn({ data }, `NATS: ${type}`)
}
