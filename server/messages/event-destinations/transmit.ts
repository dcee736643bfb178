import { createSocket } from 'node:dgram'
import { lookup as lookUpNow } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type DestinationKind, isSyslog, syslogAddress } from '#events/event-log/destinations.ts'
import { cleanLine } from '#events/contract/cleanText.ts'
import { lookUpFor, postWebhook, reasonOf, refusedAddress, signingKey } from '#server/messages/notifications/index.ts'
import type { Config } from '#server/platform/config.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'

/** A destination with its address and secret. */
export type Target = {
  kind: DestinationKind
  address: string
  secret: string | null
  header: string | null
  authority: string | null
}

/** A rendered batch, with the key that is the same in each attempt. */
export type Batch = { key: string; body: string }

/** Outcome of a batch that was accepted. `confirms`: the receiver stated that; others only did not refuse it. */
export type Accepted = { confirms: boolean; refused: number; reason?: string }

const accepted = (confirms: boolean): Accepted => ({ confirms, refused: 0 })

/** Only administrators set destinations, which may be in the internal network. */
const roles = ['ROLE_ADMIN'] as const
const timeoutMs = 20_000
/** Characters that are read of a response. One of OTLP may have a reason for each event that was refused. */
const maxChars = 1_000_000

/** Sends a batch. Throws `NotSent` with the reason. */
export async function transmit(config: Config, target: Target, batch: Batch, limit = timeoutMs): Promise<Accepted> {
  const { kind, address } = target
  if (!isSyslog(kind)) return post(config, target, batch, limit)
  const { host, port } = syslogAddress(address) ?? { host: address, port: 0 }
  const refused = isIP(host) ? refusedAddress(host, roles) : undefined
  if (refused) throw new NotSent(`The address of the destination ${refused}`, { permanent: true })
  const messages = batch.body.split('\n').map((message) => Buffer.from(message))
  const send = kind === 'SYSLOG_UDP' ? sendDatagrams : sendOverTls
  return send({ host, port, authority: target.authority }, messages, limit).catch((error: unknown) => {
    if (error instanceof NotSent) throw error
    throw new NotSent(reasonOf(error, { host: address, hostname: host }, limit), { cause: error })
  })
}

async function post(config: Config, target: Target, { key, body }: Batch, limit: number): Promise<Accepted> {
  const { kind, address, header, secret, authority } = target
  const headers = header !== null && secret !== null ? { [header]: secret } : {}
  const signing = await signingKey(config, address)
  const posted = { address, key, body, type: 'application/json', signing, roles, headers, authority, maxChars }
  const answer = await postWebhook(posted, limit)
  return kind === 'OTLP' ? { ...accepted(true), ...partialSuccess(answer) } : accepted(true)
}

/** Records that a receiver of OTLP refused, which must not be sent again. */
function partialSuccess(answer: string): Partial<Accepted> {
  try {
    const { partialSuccess = {} } = JSON.parse(answer) as { partialSuccess?: Record<string, unknown> }
    const { rejectedLogRecords, errorMessage = 'no reason' } = partialSuccess
    const refused = Number(rejectedLogRecords)
    return refused > 0 ? { refused, reason: cleanLine(String(errorMessage), 300) } : {}
  } catch {
    return {}
  }
}

type Receiver = { host: string; port: number; authority: string | null }

/**
 * Maximum milliseconds before the end in which the session of TLS 1.3 arrives, if the receiver sends one. Node and others don't end TLS while they
 * still send that.
 */
const sessionMs = 500
/** Milliseconds in which a connection that was closed with unread data is reset. */
const resetMs = 300

/**
 * Sends messages over TLS with their length in octets (RFC 5425), and closes the connection to learn that the receiver read them: syslog has
 * no answers. A receiver that follows the standard ends its side of TLS as well, and `confirms`. Others only close the connection.
 */
async function sendOverTls({ host, port, authority }: Receiver, messages: Buffer[], limit: number): Promise<Accepted> {
  const signal = AbortSignal.timeout(limit)
  const { promise, resolve, reject } = Promise.withResolvers<Accepted>()
  const wire = connect({ host, port, lookup: lookUpFor(roles), allowHalfOpen: true })
  let isWritten = false
  const closed = () => reject(new NotSent(`${host}:${port} closed the connection before it read the events`))
  // Node ends TLS when the connection ends, too. So the end of the connection doesn't get through to it.
  const held = new Duplex({
    read: () => void wire.resume(),
    write: (part: Buffer, _, done) => void wire.write(part, done),
  })
  const secure = connectTls({
    socket: held,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(authority && { ca: authority }),
  })
  wire.on('data', (part) => void (held.push(part) || wire.pause()))
  wire.on('end', () => {
    if (!isWritten) return closed()
    // After this, writing fails if the receiver left data unread.
    setTimeout(() => wire.write('\0', (error) => (error ? closed() : resolve(accepted(false)))), resetMs)
  })
  secure.on('end', () => (isWritten ? resolve(accepted(true)) : closed())).resume()
  for (const stream of [wire, held, secure]) stream.on('error', reject)
  signal.addEventListener('abort', () => reject(signal.reason as Error))
  const payload = Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
  const session = once(secure, 'session', { signal }).catch(() => undefined)
  secure.write(payload, async () => {
    await Promise.race([session, wait(sessionMs)])
    isWritten = true
    secure.end()
  })
  try {
    return await promise
  } finally {
    for (const stream of [secure, held, wire]) stream.destroy()
  }
}

/** Datagrams in a row, after which the receiver gets some time, in milliseconds, to read them. */
const burst = 20
const burstPauseMs = 10

/** Sends each message as a datagram (RFC 5426). No one knows whether it arrives, unless the machine says that nothing listens there. */
async function sendDatagrams({ host, port }: Receiver, messages: Buffer[]): Promise<Accepted> {
  const { address, family } = await lookUpNow(host)
  const refused = refusedAddress(address, roles)
  if (refused) throw new NotSent(`The address of the destination ${refused}`, { permanent: true })
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  socket.on('error', reject)
  const sending = async () => {
    await new Promise<void>((done) => socket.connect(port, address, done))
    for (const [index, message] of messages.entries()) {
      await new Promise<void>((done, fail) => socket.send(message, (error) => (error ? fail(error) : done())))
      if (index % burst === burst - 1) await wait(burstPauseMs)
    }
    await wait(burstPauseMs)
  }
  try {
    await Promise.race([sending(), failed])
    return accepted(false)
  } finally {
    socket.close()
  }
}
