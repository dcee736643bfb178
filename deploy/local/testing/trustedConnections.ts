import { connect } from 'nats'
import { readConfig } from '#agent/config.ts'
import { newTransport } from '#agent/systems/http/transport.ts'
import { machine } from '#events/node/index.ts'
import { postWebhook } from '#server/messages/notifications/postWebhook.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { sendMail } from '#server/platform/mail/mail.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { outgoingFetch } from '#server/platform/outgoingFetch.ts'
import { openConnection } from '#server/platform/postgres/postgres.ts'

/** Ports of servers on localhost whose certificate is of a private authority. */
export type TlsPorts = { https: number; postgres: number; nats: number; mail: number; mailByTls: number }

/**
 * Makes every kind of outgoing connection of server and agent, and prints by kind: `trusted`, or the failure. The argument is
 * `TlsPorts` as JSON.
 */
const ports = JSON.parse(process.argv[2] ?? '') as TlsPorts
machine()
const host = 'localhost'
const https = `https://${host}:${ports.https}`
const mailServer = {
  host,
  from: 'a@example.com',
  auth: undefined,
  usesTls: true,
  requiresTls: true,
  beginsWithTls: false,
}
const mail = { to: 'b@example.com', subject: 'a', text: 'b' }
const roles = ['ROLE_ADMIN'] as const
const webhook = { address: https, key: 'a', body: '{}', type: 'application/json', signing: Buffer.from('a'), roles }

const agent = readConfig({ NATS_URL: `tls://${host}:${ports.nats}` })
const store = (certificate?: { ca?: string }) => {
  const transport = newTransport(certificate && { certificate })
  const request = { protocol: 'https:', hostname: host, port: ports.https, method: 'GET', path: '/', headers: {} }
  return transport.handle(request).finally(transport.destroy)
}

const kinds: Record<string, () => Promise<unknown>> = {
  'single sign-on': () => outgoingFetch(https),
  webhook: () => postWebhook(webhook),
  'object store': () => store(),
  'storage system with a certificate check': () => store({}),
  ClickHouse: () => openClickHouse(https).then((clickhouse) => clickhouse.ping()),
  // The test server ends the connection with this message once it is encrypted.
  Postgres: () =>
    openConnection(`postgres://a:b@${host}:${ports.postgres}/c?sslmode=verify-full`).catch(({ message }: Error) => {
      if (message !== 'reached by TLS') throw new Error(message)
    }),
  NATS: () => openNats(`tls://${host}:${ports.nats}`),
  'NATS for an agent': () =>
    connect({ servers: agent.natsUrl, reconnect: false, ...(agent.tls && { tls: agent.tls }) }),
  mail: () => sendMail({ ...mailServer, port: ports.mail }, mail),
  'mail with TLS on connect': () => sendMail({ ...mailServer, beginsWithTls: true, port: ports.mailByTls }, mail),
}

const results: Record<string, string> = {}
for (const [kind, open] of Object.entries(kinds))
  results[kind] = await open().then(
    () => 'trusted',
    (error: Error) => [error.message, (error.cause as Error | undefined)?.message].join(' '),
  )
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0))
