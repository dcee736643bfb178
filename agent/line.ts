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
import type { Config } from './config.ts'

/** The agent's line to the server, through NATS. `run` is another text for each start of the agent. */
export type Line = { agentId: number; run: string; connection: NatsConnection; js: JetStreamClient; log: Logger }

/** Connects, for as long as it takes, and again whenever the connection is lost. An agent hears only what is for its inbox. */
export async function openLine(
  { natsUrl, tls, agentId, seed, token }: Config,
  run: string,
  log: Logger,
): Promise<Line> {
  const connection = await connect({
    servers: natsUrl,
    // A server without TLS is refused then.
    ...(tls && { tls: tls as TlsOptions }),
    name: `agent-${agentId}`,
    inboxPrefix: `_INBOX_agent-${agentId}`,
    authenticator: authenticators(seed, token),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    // One that meets nats-server while it reads its configuration again is never answered.
    timeout: 3_000,
    // A server that has not read the agent's key yet may know it a moment later.
    ignoreAuthErrorAbort: true,
  })
  void logStatus(connection, log)
  return { agentId, run, connection, js: connection.jetstream(), log }
}

const authenticators = (seed: string | undefined, token: string | undefined): Authenticator[] => [
  ...(seed ? [nkeyAuthenticator(new TextEncoder().encode(seed))] : []),
  ...(token ? [tokenAuthenticator(token)] : []),
]

async function logStatus(connection: NatsConnection, log: Logger): Promise<void> {
  for await (const { type, data } of connection.status())
    if (type === 'disconnect' || type === 'reconnect' || type === 'error') log.warn({ data }, `NATS: ${type}`)
}
